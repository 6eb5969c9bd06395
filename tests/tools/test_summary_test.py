import support

summary = support.load("test_summary")

CTEST = """<testsuite>
<testcase name="json" status="{json}"/><testcase name="cli" status="run"/>
<testcase name="kubectl" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/></testcase>
</testsuite>"""
JSON = """<testsuites><testsuite>
<testcase name="A" status="run" result="completed" classname="S"/>
<testcase name="B" status="run" result="completed" classname="S">{failure}</testcase>
<testcase name="C" status="run" result="skipped" classname="S"><skipped/></testcase>
<testcase name="D" status="notrun" result="suppressed" classname="S"/>
</testsuite></testsuites>"""


class Summary(support.TreeTest):
    def summarise(self, ctest, json):
        self.tree({"ctest.xml": ctest, **({"json_test.xml": json} if json else {})})
        return summary.summarise(self.root)

    def test_counts_single_cases(self):
        self.assertEqual(self.summarise(CTEST.format(json="run"), JSON.format(failure="")),
                         (["3 skipped"], 3, 0))

    def test_names_failing_cases(self):
        lines, passed, failed = self.summarise(CTEST.format(json="fail"),
                                               JSON.format(failure="<failure/>"))
        self.assertEqual((lines[0], passed, failed), ("FAILED json: S.B", 2, 1))

    def test_a_crash_is_a_failure(self):
        for json in (None, "<testsuites>", JSON.format(failure="")):
            with self.subTest(json):
                self.setUp()
                self.assertEqual(self.summarise(CTEST.format(json="fail"), json)[2], 1)

    def test_no_results_are_a_failure(self):
        self.assertEqual(summary.summarise(self.root)[1:], (0, 1))
