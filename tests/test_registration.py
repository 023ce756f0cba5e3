"""``import ragcite_nb`` is quick, and ``df.ragcite`` is there whenever pandas is."""

import os
import subprocess
import sys

import pytest

RUN = (
    "frame = pandas.DataFrame({'answer': ['It is free [1] [7].'], 'sources': [['It is free.']]})\n"
    "assert frame.ragcite.check()['invalid_citations'].tolist() == [1]\n"
)


def run(code, *folders):
    """What a fresh interpreter says to ``code``, with ``folders`` in front of the places to import from."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([*map(str, folders), *sys.path])}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=env, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_checking_one_answer_imports_no_pandas():
    """Nor numpy, joblib or widgets: those who check answers one by one do not wait for them."""
    said = run(
        "import sys, ragcite_nb as rc\n"
        "assert len(rc.check('It is free [7].', ['It is free.']).invalid_citations) == 1\n"
        "print([name for name in ('pandas', 'numpy', 'pyarrow', 'joblib', 'ipywidgets') if name in sys.modules])"
    )
    assert said.strip() == "[]"


@pytest.mark.parametrize(
    "imports",
    [
        "import pandas, ragcite_nb",
        "import ragcite_nb\nimport pandas.api.types\nimport pandas",
        "import ragcite_nb\nragcite_nb.check_frame\nimport pandas",
        "import ragcite_nb.accessor, pandas",
        "import ragcite_nb, importlib.util\nassert importlib.util.find_spec('pandas').origin\nimport pandas",
    ],
)
def test_registered_in_any_order(imports):
    """Also where pandas is looked for before it is imported; nothing stays behind among Python's finders."""
    run(
        f"{imports}\n{RUN}import sys\n"
        "assert not [finder for finder in sys.meta_path if type(finder).__module__.startswith('ragcite_nb')]"
    )


def test_pandas_keeps_its_own_loader():
    """What reads files beside pandas asks its loader for them."""
    run(
        "import ragcite_nb, pkgutil\n"
        "assert pkgutil.get_data('pandas', '__init__.py')\n"
        "import pandas, importlib.resources\n"
        "assert pandas.__loader__ is pandas.__spec__.loader\n"
        "assert type(pandas.__loader__).__module__ != 'ragcite_nb.registration'\n"
        "assert importlib.resources.files('pandas').joinpath('__init__.py').is_file()"
    )


def test_pandas_that_fails_to_import(tmp_path):
    """The first import fails as it would without us; the next one registers."""
    package = tmp_path / "pandas"
    package.mkdir()
    (package / "__init__.py").write_text("raise ImportError('half installed')")
    run(
        "import ragcite_nb, sys\n"
        "try:\n    import pandas\nexcept ImportError as error:\n    assert str(error) == 'half installed'\n"
        "else:\n    raise AssertionError\n"
        f"sys.path.remove({str(tmp_path)!r})\nsys.path_importer_cache.clear()\n"
        f"import pandas\n{RUN}",
        tmp_path,
    )


def test_an_interrupted_import_is_made_up_for():
    """Somebody interrupts the kernel after pandas and before the accessor: the next import registers."""
    run(
        "import sys, ragcite_nb\n"
        "class Once:\n"
        "    done = False\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'ragcite_nb.frame' and not self.done:\n"
        "            self.done = True\n"
        "            raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Once())\n"
        "try:\n    import pandas\nexcept KeyboardInterrupt:\n    pass\n"
        f"import pandas\n{RUN}"
    )


def test_without_pandas():
    """A search that finds nothing ends as without us."""
    run(
        "import sys, ragcite_nb\n"
        "sys.path[:] = [p for p in sys.path if 'site-packages' not in p]\n"
        "try:\n    import pandas\nexcept ModuleNotFoundError as error:\n    assert error.name == 'pandas'\n"
        "else:\n    raise AssertionError"
    )


def test_workers_start_without_pandas():
    """It would be most of what they need to start."""
    said = run(
        "import pandas, ragcite_nb as rc\n"
        "from ragcite_nb import workers\n"
        "frame = pandas.DataFrame({'answer': ['It is free [7].'] * 40, 'sources': [['It is free.']] * 40})\n"
        "assert frame.ragcite.check(workers=2)['invalid_citations'].sum() == 40\n"
        'with workers.pool(eval, [\'"pandas" in __import__("sys").modules\'] * 4, 2) as results:\n'
        "    print(set(results))"
    )
    assert said.strip() == "{False}"
