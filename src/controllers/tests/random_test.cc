// Random histories of a small fleet: whatever users do, the fleet settles, and a full reconcile
// afterwards finds nothing to do. Every apply and delete is planned first, and happens as planned,
// including errors.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "controllers/tests/fleet_script.h"

namespace portico::controllers {
namespace {

constexpr const char* kFiles = R"(Made up.
-- kptfile --
apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: web}
-- one --
apiVersion: v1
kind: ConfigMap
metadata: {name: cm}
data: {a: "1", b: "1"}
-- two --
apiVersion: v1
kind: ConfigMap
metadata: {name: cm}
data: {a: "2", b: "1"}
-- three --
apiVersion: v1
kind: ConfigMap
metadata: {name: cm}
data: {a: "1", b: "3", c: "3"}
-- south --
apiVersion: v1
kind: ConfigMap
metadata: {name: south}
data: {site: south}
-- south2 --
apiVersion: v1
kind: ConfigMap
metadata: {name: south}
data: {site: further}
)";

class RandomLife {
 public:
  explicit RandomLife(unsigned seed) : random_(seed) {}

  std::string text(int steps) {
    for (const char* line :
         {"repo up", "commit up web/Kptfile=kptfile web/cm.yaml=one", "git up tag web/v1 main",
          "git up tag web/stable main", "sync up", "repo east deployment", "repo west"})
      say(line);
    apply_variant("pv1");
    for (int i = 0; i < steps; ++i) step();
    return kFiles + variants_ + "-- script --\n" + script_;
  }

 private:
  std::size_t below(std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_);
  }
  template <class... Words>
  std::string any(Words... words) {
    const std::vector<std::string> all{words...};
    return all[below(all.size())];
  }
  void say(const std::string& line) { script_ += line + "\n"; }

  std::string revision() {
    const std::string repo = any("east", "west");
    return repo + "." + any("web", "shop") + "." +
           any("packagevariant-1", "packagevariant-2", "packagevariant-3", "main");
  }

  void apply_variant(const std::string& name, const std::string& verb = "") {
    const std::string section = "variant" + std::to_string(++sections_);
    variants_ += "-- " + section +
                 " --\napiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\n"
                 "metadata: {name: " +
                 name + "}\nspec:\n  upstream: {repo: up, package: web" +
                 any("", "", ", revision: 1", ", tag: stable", ", workspaceName: main",
                     ", revision: 3", ", revision: 9") +
                 "}\n  downstream: {repo: " + any("east", "west", "east", "west", "nowhere") +
                 ", package: " + any("web", "web", "shop") + "}\n" +
                 any("", "", "  deletionPolicy: orphan\n", "  adoptionPolicy: adoptExisting\n") +
                 any("", "  packageContext: {data: {site: north}}\n",
                     "  pipeline: {mutators: [{image: 'gcr.io/kpt-fn/set-labels:v0.2.0', "
                     "configMap: {tier: front}}]}\n",
                     "  injectors: [{name: south}]\n", "  labels: {team: red}\n",
                     "  packageContext: {data: {name: reserved}}\n",
                     "  pipeline: {mutators: [{image: 'example.com/none:v1'}]}\n",
                     "  pipeline: {mutators: [{image: 'gcr.io/kpt-fn/set-namespace:v0.4.1'}]}\n") +
                 any("", "", "  onConflict: fail\n", "  onConflict: keepLocal\n") +
                 any("", "", "  approval: {propose: {policy: always}}\n",
                     "  approval: {propose: {policy: always}, approve: {policy: always}}\n",
                     "  approval: {propose: {policy: unedited, after: 1h}, approve: {policy: "
                     "initial}}\n");
    say((verb.empty() ? any("apply ", "plan ", "plan ") : verb) + section);
  }

  void apply_set() {
    const std::string section = "set" + std::to_string(++sections_);
    std::string repositories;
    for (const char* name : {"east", "west", "nowhere"})
      if (below(name[0] == 'n' ? 5 : 2) == 0)
        repositories += std::string(repositories.empty() ? "" : ", ") + "{name: " + name +
                        any("", ", packageNames: [shop, api]") + "}";
    const std::string targets =
        repositories.empty()
            ? any("[]",
                  "[{repositorySelector: {}, template: {downstream: {packageExpr: \"'s-' + "
                  "repository.name\"}}}]",
                  "[{objectSelector: {apiVersion: v1, kind: ConfigMap}, template: {downstream: "
                  "{repo: east, packageExpr: \"target.labels['no']\"}}}]")
            : "[{repositories: [" + repositories + "]" +
                  any("", ", template: {downstream: {package: shop}}",
                      ", template: {downstream: {packageExpr: \"'api\"}}",
                      ", template: {deletionPolicy: orphan}",
                      ", template: {injectors: [{name: south}]}") +
                  "}]";
    variants_ += "-- " + section +
                 " --\napiVersion: config.porch.kpt.dev/v1alpha2\nkind: PackageVariantSet\n"
                 "metadata: {name: fleet}\nspec:\n  upstream: {repo: up, package: web, " +
                 any("revision: 1", "revision: 1", "tag: stable", "revision: 9") +
                 "}\n  targets: " + targets + "\n" + any("", "  deletionGuard: 'off'\n");
    say(any("apply ", "plan ", "plan ") + section);
  }

  void step() {
    switch (below(20)) {
      case 0:
      case 1: {
        say("commit up web/cm.yaml=" + any("one", "two", "three"));
        if (below(2) == 0) say("git up tag -f web/v" + std::to_string(++tags_) + " main");
        if (below(3) == 0) say("git up tag -f web/stable main");
        if (below(3) == 0) say("git up tag -f web/v1 main");
        return say("sync up");
      }
      case 2:
      case 3:
        return apply_variant(any("pv1", "pv1", "pv2"));
      case 4:
      case 5:
      case 6: {
        const std::string name = revision();
        say("propose " + name);
        return say(any("approve ", "approve ", "reject ") + name);
      }
      case 7:
        return say("push " + revision() + " cm.yaml=" + any("one", "two", "three"));
      case 8: {
        const std::string name = revision();
        say("propose-delete " + name);
        return say(any("delete ", "reject ") + name);
      }
      case 9:
        return say("delete " + revision());
      case 10:
        return say("apply " + any("south", "south2"));
      case 11:
        return say(any("delete-object ", "plan-delete ", "plan-delete ") +
                   any("PackageVariant pv1", "PackageVariant pv2", "ConfigMap south",
                       "PackageVariantSet fleet"));
      case 12:
        return say("copy " + revision() + " mine-" + std::to_string(++copies_));
      case 13:
        return say("rollback " + any("pv1", "pv1", "pv2") + any(" v1", " v1", " v2"));
      case 14:
        return say("later 2h");
      case 15:
      case 16:
        return apply_set();
      case 17: {
        const std::string repo = any("east", "west");
        say("plan-delete Repository " + repo);
        step();
        return say("repo " + repo + " git=" + repo);
      }
      case 18:  // not noticed until the next poll
        say("commit up web/cm.yaml=" + any("one", "two", "three"));
        return apply_variant(any("pv1", "pv2"), "plan ");
      default: {
        say("pause");
        step();
        say("sync " + any("up", "east", "west"));
        return say("resume");
      }
    }
  }

  std::mt19937 random_;
  std::string variants_, script_;
  int sections_ = 0, tags_ = 1, copies_ = 0;
};

/// Runs a full reconcile after each command.
class Watched : public FleetScript {
 public:
  using FleetScript::FleetScript;

 protected:
  std::string after(const std::string& verb, const std::string& line) override {
    const bool git_moved = verb == "git" || verb == "commit";
    return FleetScript::after(git_moved ? verb : "settle", line);
  }
};

TEST(RandomLife, EndsInPeace) {
  const char* asked = std::getenv("PORTICO_SEEDS");  // "100" or "7000+100"
  unsigned first = 1, many = 3;
  if (asked != nullptr && std::sscanf(asked, "%u+%u", &first, &many) != 2)
    many = static_cast<unsigned>(std::atoi(asked));
  for (unsigned seed = first; seed < first + many && !::testing::Test::HasFailure(); ++seed) {
    const portico::testing::TempDir temp;
    const auto file = temp.path() / "case.txt";
    portico::testing::write_file(file, RandomLife(seed).text(14));
    const portico::testing::Case one(file);
    drafts::Fleet fleet;
    const std::string transcript = Watched(fleet, one).run();
    if (::testing::Test::HasFailure())
      ADD_FAILURE() << "seed " << seed << "\n" << portico::testing::read_file(file) << transcript;
  }
}

}  // namespace
}  // namespace portico::controllers
