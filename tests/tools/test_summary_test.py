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


def case(name, inside=""):
    return f'<testcase name="{name}" status="run" result="completed" classname="S">{inside}</testcase>'


def cases(**inside):
    return f"<testsuites>{''.join(case(*each) for each in inside.items())}</testsuites>"


FAILED, SKIPPED = "<failure/>", "<skipped/>"
ONE = '<testsuite><testcase name="json" status="{}"/></testsuite>'
BOTH = '<testsuite><testcase name="json" status="{}"/><testcase name="other" status="run"/></testsuite>'


class Again(support.TreeTest):
    """Failed tests are run again: `first` and `second` are the test's status and its cases, or none."""

    def summarise(self, first, second):
        for folder, (status, file) in (("", first), ("again/", second)):
            self.tree({f"{folder}ctest.xml": (ONE if folder else BOTH).format(status),
                       **({f"{folder}json_test.xml": file} if file else {})})
        return summary.summarise(self.root)

    def test_what_passes_then_counts_and_is_named(self):
        self.assertEqual(
            self.summarise(("fail", cases(A="", B=FAILED)), ("run", cases(A="", B=""))),
            (["passed when run again: json: S.B"], 3, 0))

    def test_what_fails_again_is_failed(self):
        self.assertEqual(
            self.summarise(("fail", cases(A="", B=FAILED)), ("fail", cases(A="", B=FAILED))),
            (["FAILED json: S.B"], 2, 1))

    def test_the_second_run_counts_alone(self):
        self.assertEqual(
            self.summarise(("fail", cases(A="", B=FAILED)), ("fail", cases(A=FAILED, B=""))),
            (["passed when run again: json: S.B", "FAILED json: S.A"], 2, 1))

    def test_a_crash_that_does_not_come_back(self):
        self.assertEqual(
            self.summarise(("fail", None), ("run", cases(A="", B=""))),
            (["passed when run again: json: ended without results (fail)"], 3, 0))
        self.setUp()
        self.assertEqual(
            self.summarise(("fail", cases(A="")), ("run", cases(A=""))),
            (["passed when run again: json: failed outside its cases (crash or time limit)"], 2, 0))

    def test_a_test_without_cases(self):
        self.assertEqual(self.summarise(("fail", None), ("run", None)),
                         (["passed when run again: json: ended without results (fail)"], 2, 0))
        self.setUp()
        self.assertEqual(self.summarise(("fail", None), ("fail", None))[2], 1)

    def test_what_does_not_run_the_second_time_failed(self):
        for second in (("run", cases(A="")), ("fail", None), ("run", None)):
            with self.subTest(second):
                self.setUp()
                lines, _, failed = self.summarise(("fail", cases(A="", B=FAILED)), second)
                self.assertIn("FAILED json: S.B", lines)
                self.assertGreaterEqual(failed, 1)

    def test_what_is_skipped_the_second_time_failed(self):
        for first, second in ((cases(A="", B=FAILED), cases(A="", B=SKIPPED)),
                              (None, cases(A=SKIPPED, B=SKIPPED))):
            with self.subTest(first):
                self.setUp()
                skips = second.replace('completed" classname="S"><skipped', 'skipped" classname="S"><skipped')
                self.assertEqual(self.summarise(("fail", first), ("run", skips))[2], 1)

    def test_a_second_run_that_was_cut_off_says_nothing(self):
        self.summarise(("fail", cases(B=FAILED)), ("run", cases(B="")))
        self.tree({"again/ctest.xml": "<testsuite>"})
        self.assertEqual(summary.summarise(self.root), (["FAILED json: S.B"], 1, 1))
