"""Helpers for the tests of tools/."""
import importlib.machinery
import importlib.util
import pathlib
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def load(name):
    """tools/NAME as a Python module."""
    loader = importlib.machinery.SourceFileLoader(f"tool_{name}", str(ROOT / "tools" / name))
    loader_spec = importlib.util.spec_from_loader(loader.name, loader)
    module = importlib.util.module_from_spec(loader_spec)
    loader.exec_module(module)
    return module


class TreeTest(unittest.TestCase):
    """A test with a folder `self.root` that tree() fills."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def tree(self, files):
        for path, text in files.items():
            file = self.root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
