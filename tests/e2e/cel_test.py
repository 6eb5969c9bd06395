"""`portico cel eval`: trying out expressions."""
import unittest

from support import Fleet


class Eval(Fleet):
    def gives(self, result, expression, *arguments):
        self.assertEqual(self.portico("cel", "eval", expression, *arguments), result + "\n")

    def test_results(self):
        self.gives('"east-web"', "target.labels['region'] + '-' + packageDefault",
                   "--env", "pvs", "--var", 'target={"labels": {"region": "east"}}',
                   "--var", 'packageDefault="web"')
        self.gives("[3, 7.5]", "[a, b]", "--var", "a=3", "--var", "b=7.5")
        self.gives("18446744073709551615u", "a", "--var", "a=18446744073709551615")
        self.gives("true", "quantity('1Gi').isGreaterThan(quantity('1M'))", "--env", "pvs")
        self.gives("[kubernetes.Quantity(1073741824), kubernetes.Quantity(-0.5)]",
                   "[quantity('1Gi'), quantity('-500m')]")
        self.gives("kubernetes.Semver(1.2.3-rc.1)", "semver('1.2.3-rc.1+build')")
        self.gives('{"a": [1, null]}', "x", "--var", 'x={"a": [1, null]}')

    def test_errors_say_where(self):
        self.assertIn("<input>:1:15: undeclared reference to 'reposDefault' (in container '')\n"
                      " | target.name + reposDefault\n"
                      " | ..............^",
                      self.fails("cel", "eval", "--env", "pvs", "target.name + reposDefault"))
        self.assertIn("no such key: x, at 1:5 in `target.x`",
                      self.fails("cel", "eval", "1 + target.x", "--var", "target={}"))
        self.assertIn("cost", self.fails(
            "cel", "eval", "[1,2,3,4,5,6,7,8,9].map(a, xs.map(b, xs.map(c, xs.map(d, xs.map(e, "
                           "xs.map(f, xs))))))", "--var",
            "xs=[1,2,3,4,5,6,7,8,9,10]"))
        self.assertIn("unknown variable; templates have repoDefault, ",
                      self.fails("cel", "eval", "x", "--env", "pvs", "--var", "x=1"))
        self.assertIn("invalid matches argument: error parsing regexp",
                      self.fails("cel", "eval", "x.matches('(')", "--var", "x=1"))
        self.assertIn("--var", self.fails("cel", "eval", "1", "--var", "novalue"))
        self.assertIn("--var a=[1", self.fails("cel", "eval", "1", "--var", "a=[1"))


if __name__ == "__main__":
    unittest.main()
