"""``df.ragcite`` wherever pandas is, without importing pandas where nobody uses it.

pandas takes longer to import than everything else here. Checks of single answers and worker processes do without it,
so the accessor is registered when pandas is imported: at once, if it is there already.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType

_PANDAS = "pandas"
_ACCESSOR = "ragcite_nb.accessor"


def register_with_pandas() -> None:
    """Register ``df.ragcite`` now if pandas is imported, and otherwise right after it will be."""
    if _PANDAS in sys.modules:
        import_module(_ACCESSOR)
    else:
        sys.meta_path.insert(0, _PandasFinder())


class _PandasFinder(MetaPathFinder):
    """Finds pandas where the other finders do, and has the accessor registered once it is loaded."""

    def __init__(self) -> None:
        self._asks_the_others = False

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,  # noqa: ARG002 - Python passes it
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> ModuleSpec | None:
        # Many libraries only ask whether pandas could be imported: this finder stays until it really is.
        if fullname != _PANDAS or self._asks_the_others:
            return None
        self._asks_the_others = True
        try:
            spec = find_spec(fullname)
        finally:
            self._asks_the_others = False
        if spec is not None and spec.loader is not None:
            spec.loader = _PandasLoader(spec.loader, self)
        return spec


class _PandasLoader(Loader):
    def __init__(self, loader: Loader, finder: _PandasFinder) -> None:
        self._loader = loader
        self._finder = finder

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        # Those who ask the module for its loader, to read files beside it, are to get its own.
        module.__loader__ = self._loader
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        self._loader.exec_module(module)
        import_module(_ACCESSOR)
        if self._finder in sys.meta_path:  # only now: an interruption may have ended the import before
            sys.meta_path.remove(self._finder)

    def __getattr__(self, name: str) -> Any:
        """Whatever else loaders can do, such as reading files beside a module."""
        return getattr(self._loader, name)
