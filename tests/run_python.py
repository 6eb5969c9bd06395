"""run_python.py NAME FOLDER [PATTERN]: runs the unittest files of a folder ("*_test.py").

Writes NAME_test.xml in gtest's format into the folder that GTEST_OUTPUT names, so that
tools/test_summary counts single cases.
"""
import os
import pathlib
import sys
import unittest
import xml.etree.ElementTree as ET

sys.dont_write_bytecode = True


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

    def _case(self, test):
        if test.id() not in self.cases:  # a failed import, or a class whose set-up fails
            self.cases[test.id()] = ET.SubElement(
                self.root, "testcase", name=test.id(), classname="set-up", status="run")
        return self.cases[test.id()]

    def addFailure(self, test, error):
        super().addFailure(test, error)
        ET.SubElement(self._case(test), "failure")

    def addError(self, test, error):
        super().addError(test, error)
        ET.SubElement(self._case(test), "failure")

    def addSubTest(self, test, subtest, error):
        super().addSubTest(test, subtest, error)
        if error is not None:
            ET.SubElement(self._case(test), "failure")

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        ET.SubElement(self._case(test), "failure")

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self._case(test).set("result", "skipped")


def main():
    name, folder = sys.argv[1], sys.argv[2]
    pattern = sys.argv[3] if len(sys.argv) > 3 else "*_test.py"
    suite = unittest.defaultTestLoader.discover(folder, pattern=pattern)
    result = unittest.TextTestRunner(resultclass=Recorder).run(suite)
    output = os.environ.get("GTEST_OUTPUT", "")
    if output.startswith("xml:"):
        ET.ElementTree(result.root).write(pathlib.Path(output[4:]) / f"{name}_test.xml")
    return 0 if result.wasSuccessful() and result.testsRun else 1


if __name__ == "__main__":
    sys.exit(main())
