// Rendered packages and their clones can be rendered again: the packages of ../shared.
#include <gtest/gtest.h>

#include <filesystem>

#include "fnrun/builtin.h"
#include "package/clone.h"
#include "render/render.h"
#include "testing/cases.h"

namespace portico::fnrun {
namespace {

namespace fs = std::filesystem;

krm::Package read_package(const fs::path& folder) {
  krm::Package package;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file())
      package.set(fs::relative(entry.path(), folder).generic_string(),
                  testing::read_file(entry.path()));
  return package;
}

/// Finds every folder with a Kptfile below `root`, without subpackages.
void find_packages(const fs::path& root, std::vector<fs::path>& out) {
  if (fs::is_regular_file(root / "Kptfile")) return out.push_back(root);
  for (const auto& entry : fs::directory_iterator(root))
    if (entry.is_directory() && !entry.is_symlink() && entry.path().filename() != ".git")
      find_packages(entry.path(), out);
}

/// The package as a draft called `name` contains it.
Result<krm::Package> drafted(const krm::Package& upstream, const std::string& name) {
  PORTICO_TRY(const krm::Package clone, package::clone(upstream, {name, {}, true}));
  PORTICO_TRY(render::Rendered rendered, render::render(clone, BuiltinRunner()));
  if (rendered.failure) return *std::move(rendered.failure);
  return std::move(rendered.package);
}

void expect_at_rest(const krm::Package& package, const std::string& where) {
  const auto again = render::render(package, BuiltinRunner());
  ASSERT_TRUE(again) << where << ": " << again.error().text();
  EXPECT_FALSE(again->failure) << where << ": " << again->failure->text();
  EXPECT_EQ(again->package, package) << where;
}

TEST(RenderedPackages, RenderAgainAndSoDoTheirClones) {
  const fs::path shared = testing::shared_dir();
  if (shared.empty()) GTEST_SKIP() << "no ../shared";
  testing::TempDir temp;
  std::vector<fs::path> folders;
  find_packages(shared / "conformance/render", folders);
  for (const char* bundle : {"catalog", "nephio-example-packages"}) {
    const std::string clone =
        "git clone -q " +
        (shared / "fixtures/nephio/repos" / (std::string(bundle) + ".bundle")).string() + " " +
        (temp.path() / bundle).string() + " 2>/dev/null";
    if (std::system(clone.c_str()) != 0) GTEST_SKIP() << "no git";
  }
  find_packages(temp.path(), folders);

  std::size_t count = 0;
  for (const fs::path& folder : folders) {
    const auto web = drafted(read_package(folder), "web");
    if (!web) continue;  // it needs a function that is not built in, or is expected to fail
    ++count;
    expect_at_rest(*web, folder.string() + " as web");

    // A user adds a resource; then the package is cloned in turn.
    krm::Package more = *web;
    more.set("added.yaml",
             "apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata:\n"
             "  name: added\nroleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: r}\n"
             "subjects:\n- kind: ServiceAccount\n  name: sa\n  namespace: elsewhere\n");
    auto rendered = render::render(more, BuiltinRunner());
    ASSERT_TRUE(rendered) << folder << ": " << rendered.error().text();
    if (rendered->failure) continue;  // RoleBindings may not be allowed in it
    expect_at_rest(rendered->package, folder.string() + " with more");
    const auto shop = drafted(rendered->package, "shop");
    EXPECT_TRUE(shop) << folder << " as shop: " << shop.error().text();
    if (!shop) continue;
    expect_at_rest(*shop, folder.string() + " as shop");
  }
  EXPECT_GT(count, 100u);
}

}  // namespace
}  // namespace portico::fnrun
