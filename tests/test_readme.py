"""What the README shows is what happens."""

import re
from pathlib import Path

import pytest

README = Path(__file__).resolve().parent.parent / "README.md"


def blocks(language):
    """The fenced blocks with this info string."""
    found = re.findall(r"^```(\w*)\n(.*?)^```$", README.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    return [code for info, code in found if info == language]


def test_the_code_of_the_readme_runs(capsys, tmp_path, monkeypatch):
    """All Python blocks in order, in one namespace, as a reader would run them; the first prints what the README says."""
    monkeypatch.chdir(tmp_path)
    names = {}
    code = blocks("python")
    exec(compile(code[0], "README", "exec"), names)
    assert capsys.readouterr().out.strip() == blocks("")[1].strip()
    for block in code[1:]:
        exec(compile(block, "README", "exec"), names)
    assert (tmp_path / "report.html").exists()


@pytest.mark.parametrize("link", re.findall(r"\]\((?!http)([^)#]+)\)", README.read_text("utf-8")))
def test_links_lead_to_files(link):
    """No link of the README leads nowhere."""
    assert (README.parent / link).exists()
