"""The examples: of the modules, of the README and the scripts."""

from __future__ import annotations

import doctest
import importlib
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NEEDS = {"pettingzoo": "pettingzoo", "gymnasium": "gymnasium", "openspiel": "pyspiel"}


@pytest.mark.parametrize("name", ["", ".vector", ".lab", ".data", ".pipe", ".pettingzoo", ".gymnasium", ".rlcard", ".openspiel"])
def test_modules(name: str) -> None:
    if name[1:] in NEEDS:
        pytest.importorskip(NEEDS[name[1:]])
    result = doctest.testmod(importlib.import_module(f"unum_game{name}"))
    assert result.failed == 0 and result.attempted > 0


def test_readme() -> None:
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert result.failed == 0 and result.attempted > 5


@pytest.mark.parametrize("script", sorted(path.name for path in (ROOT / "examples").glob("*.py")))
def test_examples(script: str, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(ROOT / "examples" / script), run_name="__main__")
    assert capsys.readouterr().out


def test_types() -> None:
    """The stubs, the package and the examples by mypy, and the stubs against the native module."""
    pytest.importorskip("mypy")
    checked = subprocess.run([sys.executable, "-m", "mypy"], cwd=ROOT, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_stubs_name_what_there_is() -> None:
    import ast

    from unum_game import _native

    tree = ast.parse((ROOT / "unum_game/_native.pyi").read_text())
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            declared = {item.name for item in node.body if isinstance(item, ast.FunctionDef)}
            there = {name for name in vars(getattr(_native, node.name)) if not name.startswith("__")}
            assert {name for name in declared if not name.startswith("__")} == there, node.name
    functions = {node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    assert functions == {name for name in vars(_native) if not name.startswith("_") and not name.isupper()}
