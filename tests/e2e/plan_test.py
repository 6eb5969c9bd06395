"""The plan matches what apply does, errors and deletions included."""
import json
import unittest

from support import ROOT, Fleet

KPTFILE = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n"


def config_map(value):
    return f'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\ndata:\n  color: {value}\n'


def variant(name="pv", upstream=None, downstream=None, **spec):
    return {"apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "PackageVariant",
            "metadata": {"name": name, "namespace": "default"},
            "spec": {"upstream": upstream or {"repo": "up", "package": "web", "revision": "v1"},
                     "downstream": downstream or {"repo": "c1", "package": "web"}, **spec}}


def variant_set(targets, name="fleet", revision="v1", **spec):
    return {"apiVersion": "config.porch.kpt.dev/v1alpha2", "kind": "PackageVariantSet",
            "metadata": {"name": name, "namespace": "default"},
            "spec": {"upstream": {"repo": "up", "package": "web", "revision": revision},
                     "targets": targets, **spec}}


BY_LABEL = {"repositorySelector": {"matchLabels": {"env": "prod"}}}


class Plan(Fleet):
    def setUp(self):
        super().setUp()
        self.up = self.bare("up", {"web/Kptfile": KPTFILE, "web/cm.yaml": config_map("red")},
                            ["web/v1"])
        self.portico("repo", "register", str(self.up))
        for i in (1, 2, 3, 4):
            self.cluster(f"c{i}", env="prod" if i < 4 else "test")

    def cluster(self, name, **labels):
        path = self.bare(name)
        self.portico("repo", "register", str(path), "--deployment",
                     *[w for k, v in labels.items() for w in ("--label", f"{k}={v}")])
        return path

    def publish_upstream(self, tag, value):
        self.commit(self.up, {"web/cm.yaml": config_map(value)}, f"Make it {value}", [tag])
        self.portico("repo", "sync", "up")

    def file(self, *objects, name="objects.json"):
        return self.write(name, "\n---\n".join(map(json.dumps, objects)))

    def world(self):
        """Everything that a plan must not change."""
        return ([self.objects(kind) for kind in ("repositories", "pvs", "pv", "rpkg")],
                [self.git(p, "for-each-ref") for p in sorted(self.dir.glob("*.git"))],
                sorted(str(p) for p in (self.dir / ".portico").iterdir()))

    def planned(self, *arguments, status=0):
        before = self.world()
        done = self.run_portico("plan", *arguments, "-o", "json")
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        self.assertEqual(self.world(), before, "a plan writes nothing")
        plan = json.loads(done.stdout)
        self.valid(plan)
        return plan

    def valid(self, plan):
        try:
            import jsonschema
        except ImportError:
            self.skipTest("python3-jsonschema is not installed")
        schema = json.loads((ROOT / "docs/guide/plan.schema.json").read_text())
        jsonschema.Draft7Validator.check_schema(schema)
        jsonschema.validate(plan, schema)

    def failing(self):
        """Name -> portico's message, for everything that fails now."""
        out = {}
        for kind in ("repositories", "pvs", "pv"):
            if self.run_portico("get", kind, "-o", "json").stdout.strip():
                for name, item in self.objects(kind).items():
                    ready, stalled = self.condition(item), self.condition(item, "Stalled")
                    if stalled["status"] == "True":
                        out[name] = stalled["message"]
                    elif ready["status"] == "False" and ready["reason"] != "WaitingForReview":
                        out[name] = ready["message"]
        return out

    def test_every_error_that_apply_meets_is_in_the_plan(self):
        target = {"repositories": [{"name": "c1"}]}

        def templated(**template):
            return variant_set([{**target, "template": template}])
        broken = {
            "upstream revision": variant(upstream={"repo": "up", "package": "web",
                                                   "revision": "v9"}),
            "upstream package": variant(upstream={"repo": "up", "package": "no",
                                                  "revision": "v1"}),
            "upstream repository": variant(upstream={"repo": "no", "package": "web",
                                                     "revision": "v1"}),
            "downstream repository": variant(downstream={"repo": "no", "package": "web"}),
            "function": variant(pipeline={"mutators": [{"image": "example.com/none:v1"}]}),
            "function that fails": variant(pipeline={"mutators": [
                {"image": "gcr.io/kpt-fn/set-namespace:v0.4.1", "configMap": {"no": "name"}}]}),
            "set's upstream": variant_set([target], revision="v9"),
            "set's repository": variant_set([{"repositories": [{"name": "no"}]}]),
            "missing label": templated(downstream={"packageExpr": "repository.labels['x']"}),
            "empty name": templated(downstream={"packageExpr": "''"}),
            "template's function": templated(pipeline={"mutators": [
                {"image": "example.com/none:v1"}]}),
        }
        for what, item in broken.items():
            with self.subTest(what):
                file = self.file(item)
                plan = self.planned("-f", file, status=1)
                self.assertTrue(plan["failed"])
                done = self.run_portico("apply", "-f", file, "--wait")
                self.assertEqual(done.returncode, 1, done.stdout)
                self.assertNotEqual(plan["errors"], [])
                said = self.failing()
                self.assertEqual(sorted(e["name"] for e in plan["errors"]), sorted(said))
                for error in plan["errors"]:
                    self.assertTrue(error["message"].endswith(said[error["name"]]), error)
                # It is reported as long as it lasts, and does not fail unrelated plans.
                again = self.planned("-f", file, status=1)
                self.assertEqual({e["name"] for e in again["errors"] if e["before"]}, set(said))
                other = self.file(variant("other", downstream={"repo": "c4", "package": "other"}),
                                  name="other.json")
                self.assertFalse(self.planned("-f", other)["failed"])
                self.portico("delete", item["kind"], item["metadata"]["name"])

    def test_a_repository_that_was_never_read_fails_nobody_elses_plan(self):
        self.portico("apply", "-f", "-", "--no-wait", stdin=json.dumps(
            {"apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "Repository", "metadata": {"name": "away"},
             "spec": {"type": "git", "git": {"repo": str(self.dir / "nowhere.git")}}}))
        plan = self.planned("-f", self.file(variant()))
        self.assertEqual([(error["name"], error["before"]) for error in plan["errors"]], [("away", True)])
        # Plans that depend on it fail.
        self.planned("-f", self.file(variant(downstream={"repo": "away", "package": "web"})), status=1)

    def test_what_cannot_be_applied_cannot_be_planned(self):
        before = self.world()
        for item in (variant(packageContext={"data": {"name": "x"}}),
                     variant_set([{"repositories": [{"name": "c1"}], "template": {
                         "downstream": {"packageExpr": "'a"}}}])):
            file = self.file(item)
            self.assertEqual(self.fails("plan", "-f", file), self.fails("apply", "-f", file))
        self.assertEqual(self.world(), before)

    def test_a_merge_that_fails_is_in_the_plan(self):
        self.portico("apply", "-f", self.file(variant()), "--wait")
        self.portico("rpkg", "pull", "c1.web.packagevariant-1", "web")
        self.write("web/cm.yaml", (self.dir / "web/cm.yaml").read_text().replace("red", "pink"))
        self.portico("rpkg", "push", "c1.web.packagevariant-1", "web")
        self.publish_upstream("web/v2", "blue")
        moved = {"repo": "up", "package": "web", "revision": "v2"}
        plan = self.planned("-f", self.file(variant(upstream=moved)))
        (conflict,) = plan["variants"][0]["conflicts"]
        self.assertEqual((conflict["base"], conflict["ours"], conflict["theirs"],
                          conflict["taken"]), ('"red"', '"pink"', '"blue"', "theirs"))
        file = self.file(variant(upstream=moved, onConflict="fail"))
        plan = self.planned("-f", file, status=1)
        self.assertIn("data.color", plan["errors"][0]["message"])
        self.assertIn("data.color", plan["variants"][-1]["error"])
        self.assertEqual(self.run_portico("apply", "-f", file, "--wait").returncode, 1)
        # The report of what was done includes the conflicts.
        done = self.portico("apply", "-f", self.file(variant(upstream=moved)), "--wait")
        self.assertIn("UpgradeInPlace packagevariant-1", done)
        self.assertRegex(done, r"cm\.yaml +ConfigMap settings +data\.color +red +pink +blue")
        self.assertIn("1 draft, 1 of them upgraded, 1 conflict in 1 package; 0 failing", done)

    def test_exit_status_says_whether_there_are_changes(self):
        def status(file, *more):
            return self.run_portico("plan", "-f", file, *more).returncode
        good, bad = self.file(variant()), self.file(variant("bad", downstream={
            "repo": "no", "package": "web"}), name="bad.json")
        self.assertEqual([status(good), status(good, "--detailed-exitcode")], [0, 2])
        self.assertEqual([status(bad), status(bad, "--detailed-exitcode")], [1, 1])
        self.portico("apply", "-f", good, "--wait")
        self.assertEqual([status(good), status(good, "--detailed-exitcode")], [0, 0])
        self.assertEqual(self.run_portico("plan", "--detailed-exitcode").returncode, 0)
        self.assertIn("is not json", self.fails("plan", "-f", good, "-o", "yaml"))
        for page in ("docs/portico.1", "docs/guide/reference.md", "docs/guide/command-line.md"):
            self.assertIn("detailed-exitcode", (ROOT / page).read_text().replace("\\-", "-"), page)

    def test_a_plan_goes_through_to_the_end(self):
        """One plan has a repository, a set and their consequences, and sees new revisions in git."""
        path = self.bare("late", {"web/Kptfile": KPTFILE, "web/cm.yaml": config_map("green")})
        self.commit(self.up, {"web/cm.yaml": config_map("blue")}, "Unseen", ["web/v2"])
        repository = {"apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "Repository",
                      "metadata": {"name": "late", "namespace": "default"},
                      "spec": {"type": "git", "deployment": True, "git": {"repo": str(path)}}}
        fleet = variant_set([{"repositories": [{"name": "late"}]}], revision="v2")
        plan = self.planned("-f", self.file(repository, fleet), status=1)
        self.assertIn("exists in repository", plan["errors"][0]["message"])
        fleet["spec"]["targets"][0]["template"] = {"downstream": {"package": "shop"}}
        file = self.file(repository, fleet)
        plan = self.planned("-f", file)
        self.assertEqual([(v["name"], v["step"], v["revision"]) for v in plan["variants"]],
                         [("fleet-late-shop", "Clone", "late.shop.packagevariant-1")])
        self.assertIn("+  color: blue\n", plan["variants"][0]["diff"])
        self.portico("apply", "-f", file, "--wait")
        self.assertIn("blue", self.show(path, "drafts/shop/packagevariant-1:shop/cm.yaml"))

    def publish_set(self):
        self.portico("rpkg", "propose", "--set", "fleet")
        self.portico("rpkg", "approve", "--set", "fleet", "--wait")

    def test_deletions_say_what_becomes_of_packages(self):
        for file, what in ((variant("gone"), "proposeDeletion"),
                           (variant("left", downstream={"repo": "c2", "package": "web"},
                                    deletionPolicy="orphan"), "orphan"),
                           (variant("open", downstream={"repo": "c3", "package": "web"}),
                            "remove")):
            with self.subTest(what):
                self.portico("apply", "-f", self.file(file), "--wait")
                name = file["metadata"]["name"]
                revision = f'{file["spec"]["downstream"]["repo"]}.web.packagevariant-1'
                if what != "remove":
                    self.portico("rpkg", "propose", revision)
                    self.portico("rpkg", "approve", revision, "--wait")
                before = self.world()
                said = self.portico("delete", "pv", name, "--dry-run")
                self.assertEqual(self.world(), before)
                line = {"proposeDeletion": f"{revision}: proposed for deletion",
                        "orphan": f"{revision}: orphaned", "remove": f"{revision}: draft removed"}
                self.assertIn(line[what], said)
                done = self.portico("delete", "pv", name)
                self.assertIn(line[what], done)
                now = self.objects("rpkg").get(revision)
                self.assertEqual(now and now["spec"]["lifecycle"],
                                 {"proposeDeletion": "DeletionProposed", "orphan": "Published",
                                  "remove": None}[what])

    def test_deleting_a_set_says_it_of_all_its_packages(self):
        self.portico("apply", "-f", self.file(variant_set([BY_LABEL])), "--wait")
        self.portico("rpkg", "propose", "c1.web.packagevariant-1")
        self.portico("rpkg", "approve", "c1.web.packagevariant-1", "--wait")
        said = self.portico("delete", "pvs", "fleet", "--dry-run")
        for line in ("c1.web.packagevariant-1: proposed for deletion",
                     "c2.web.packagevariant-1: draft removed",
                     "c3.web.packagevariant-1: draft removed",
                     "2 removed, 1 proposed for deletion; 0 failing; nothing was written"):
            self.assertIn(line, said)
        self.assertEqual(len(self.objects("pv")), 3)
        done = self.portico("delete", "pvs", "fleet")
        self.assertIn("2 removed, 1 proposed for deletion; 0 failing", done)

    def test_what_a_set_holds_back_is_confirmed_with_apply(self):
        file = self.file(variant_set([BY_LABEL]))
        self.portico("apply", "-f", file, "--wait")
        self.publish_set()
        fewer = self.file(variant_set([{"repositories": [{"name": "c4"}]}]), name="fewer.json")
        plan = self.planned("-f", fewer, status=1)
        self.assertEqual([a["name"] for a in plan["sets"][0]["held"]["actions"]],
                         ["fleet-c1-web", "fleet-c2-web", "fleet-c3-web"])
        self.assertEqual([a["verb"] for a in plan["sets"][0]["actions"]], ["create"])
        plan = self.planned("-f", fewer, "--confirm-deletions")
        self.assertNotIn("held", plan["sets"][0])
        self.assertEqual(sorted(r["name"] for v in plan["variants"] for r in v.get("revisions", [])
                                if r["fate"] == "proposeDeletion"),
                         [f"c{i}.web.packagevariant-1" for i in (1, 2, 3)])
        self.assertEqual(self.run_portico("apply", "-f", fewer, "--wait").returncode, 1)
        self.assertEqual(len(self.objects("pv")), 4)
        done = self.portico("apply", "-f", fewer, "--confirm-deletions", "--wait")
        self.assertIn("3 proposed for deletion; 0 failing", done)
        self.assertEqual(list(self.objects("pv")), ["fleet-c4-web"])
        self.assertIn("no PackageVariantSet among", self.fails(
            "apply", "-f", self.file(variant()), "--confirm-deletions"))

    def test_what_if(self):
        file = self.file(variant_set([BY_LABEL]),
                         variant("alone", downstream={"repo": "c4", "package": "shop"}))
        self.portico("apply", "-f", file, "--wait")
        self.publish_upstream("web/v2", "blue")
        plan = self.planned("--upstream", "up/web", "--to", "v2")
        self.assertEqual([(v["name"], v["step"]) for v in plan["variants"]],
                         [(n, "UpgradeInPlace") for n in
                          ("alone", "fleet-c1-web", "fleet-c2-web", "fleet-c3-web")])
        self.assertIn("+  color: blue\n", plan["variants"][0]["diff"])
        self.assertEqual({o["name"] for o in plan["objects"]}, {"alone", "fleet"})
        plan = self.planned("--upstream", "up/web", "--to", "v9", status=1)
        self.assertEqual({e["name"] for e in plan["errors"]}, {"alone", "fleet"})
        plan = self.planned("--upstream", "up/web", "--to", "main")
        self.assertEqual(len(plan["variants"]), 4)
        self.assertIn("nothing", self.fails("plan", "--upstream", "up/no", "--to", "v1").replace(
            "no PackageVariantSet or PackageVariant has the upstream", "nothing"))
        self.fails("plan", "--upstream", "up/web")

        plan = self.planned("--label", "repo/c4", "env=prod", "--label", "repo/c1", "env-")
        self.assertEqual([(a["verb"], a["name"]) for a in plan["sets"][0]["actions"]],
                         [("delete", "fleet-c1-web"), ("create", "fleet-c4-web")])
        self.fails("plan", "--label", "repo/none", "a=b")
        self.fails("plan", "--label", "c4", "a=b")
        self.assertEqual(self.objects("repositories")["c4"]["metadata"]["labels"], {"env": "test"})

    def test_a_repository_that_is_used_is_not_forgotten_by_a_slip(self):
        self.portico("apply", "-f", self.file(variant_set([BY_LABEL])), "--wait")
        self.publish_set()
        before = self.world()
        for command in (("repo", "unregister", "c1"), ("delete", "repositories", "c1")):
            done = self.run_portico(*command)
            self.assertEqual(done.returncode, 1)
            self.assertIn("its package is c1/web", done.stdout)
            self.assertIn('2 package revisions of "c1" are no longer listed', done.stdout)
            self.assertIn("--force", done.stderr)
        self.assertIn("its upstream is up/web", self.run_portico("repo", "unregister",
                                                                "up").stdout)
        done = self.run_portico("repo", "unregister", "c1", "--dry-run")
        self.assertEqual(done.returncode, 1)
        self.assertIn("held back", done.stdout)
        self.assertEqual(self.world(), before)
        self.assertIn("unregistered", self.portico("repo", "unregister", "c4"), "nobody uses it")
        self.assertIn("unregistered", self.portico("repo", "unregister", "c1", "--force"))
        self.assertNotIn("c1", self.objects("repositories"))
        # Objects deleted together with it do not count as missing it.
        self.portico("apply", "-f", self.file(variant("other", downstream={
            "repo": "c2", "package": "other"})), "--wait")
        self.fails("delete", "-f", self.file({"apiVersion": "config.porch.kpt.dev/v1alpha1",
                                              "kind": "Repository", "metadata": {"name": "c2"}}))


if __name__ == "__main__":
    unittest.main()
