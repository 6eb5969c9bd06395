"""Runs the tests of tools/ (unittest) and writes their results where GTEST_OUTPUT says, in the form
that gtest uses, so that tools/test_summary counts them case by case."""
import os
import pathlib
import sys
import unittest
import xml.etree.ElementTree as ET


class Recorder(unittest.TextTestResult):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.root = ET.Element("testsuites")
        self.cases = {}

    def startTest(self, test):
        super().startTest(test)
        name, _, method = test.id().rpartition(".")
        self.cases[test.id()] = ET.SubElement(
            self.root, "testcase", name=method, classname=name, status="run", result="completed")

    def _fail(self, test):
        case = self.cases.get(test.id())
        if case is None:  # a module that does not import, a class whose set-up fails
            case = ET.SubElement(self.root, "testcase", name=test.id(), classname="load")
        ET.SubElement(case, "failure")

    def addFailure(self, test, error):
        super().addFailure(test, error)
        self._fail(test)

    def addError(self, test, error):
        super().addError(test, error)
        self._fail(test)

    def addSubTest(self, test, subtest, error):
        super().addSubTest(test, subtest, error)
        if error is not None:
            self._fail(test)

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.cases[test.id()].set("result", "skipped")


def main():
    here = pathlib.Path(__file__).resolve().parent
    suite = unittest.defaultTestLoader.discover(str(here), pattern="*_test.py")
    result = unittest.TextTestRunner(resultclass=Recorder).run(suite)
    output = os.environ.get("GTEST_OUTPUT", "")
    if output.startswith("xml:"):
        ET.ElementTree(result.root).write(pathlib.Path(output[4:]) / "tools_test.xml")
    return 0 if result.wasSuccessful() and result.testsRun else 1


if __name__ == "__main__":
    sys.exit(main())
