// Encryption on disk, and changes of keys.
#include <sqlite3.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "krm/meta.h"
#include "store/tests/store_fixture.h"
#include "testing/cases.h"

namespace portico::store {
namespace {

using registry::Verb;

/// "KEY>PLACE>the text backwards", for the kind Thing. Opens with any of its keys.
class Backwards : public Cipher {
 public:
  explicit Backwards(std::string keys) : keys_(std::move(keys)) {}
  bool hides(const krm::GroupKind& kind) const override { return kind.kind == "Thing"; }
  Result<std::string> seal(std::string_view text, std::string_view place) const override {
    return fmt::format("{}>{}>{}", keys_.front(), place, std::string(text.rbegin(), text.rend()));
  }
  Result<std::string> open(std::string_view sealed, std::string_view place) const override {
    if (keys_.find(sealed.front()) == std::string::npos) return not_found("no such key");
    const std::string head = fmt::format("{}>{}>", sealed.front(), place);
    if (!sealed.starts_with(head)) return invalid("it belongs to another place");
    const std::string_view text = sealed.substr(head.size());
    return std::string(text.rbegin(), text.rend());
  }
  bool is_current(std::string_view sealed) const override {
    return sealed.front() == keys_.front();
  }
  std::string advice() const override { return "look for it"; }

 private:
  std::string keys_;
};

struct Sealed : ::testing::Test {
  EmbeddedOptions options(const std::string& keys) const {
    EmbeddedOptions out{.folder = folder.path(), .clock = &clock};
    if (!keys.empty()) out.cipher = std::make_shared<Backwards>(keys);
    return out;
  }
  void write(const std::string& keys, std::string_view name, const std::string& text) const {
    const auto store = open_or_die(options(keys));
    const auto done = store->commit({{Verb::kCreate, thing(name).with_at({"spec", "text"}, text)}});
    ASSERT_TRUE(done) << done.error().text();
  }
  std::string read(const std::string& keys, std::string_view name) const {
    const auto store = open_or_die(options(keys));
    const auto found = store->get(thing_key(name));
    return found ? std::string((*found)["spec"]["text"].as_string()) : found.error().text();
  }
  bool is_on_disk(std::string_view text) const {
    for (const auto& file : std::filesystem::recursive_directory_iterator(folder.path())) {
      std::ifstream in(file.path(), std::ios::binary);
      std::stringstream content;
      content << in.rdbuf();
      if (content.str().find(text) != std::string::npos) return true;
    }
    return false;
  }

  const testing::TempDir folder;
  ManualClock clock;
};

TEST_F(Sealed, IsReadAgainAndNotOnDisk) {
  write("a", "x", "hunter2");
  EXPECT_FALSE(is_on_disk("hunter2"));
  EXPECT_EQ(read("a", "x"), "hunter2");
}

TEST_F(Sealed, OtherKindsAreStoredAsTheyAre) {
  {
    const auto store = open_or_die(options("a"));
    ASSERT_TRUE(
        store->commit({{Verb::kCreate, thing("x").with("kind", "Other").with("note", "seen")}}));
  }
  EXPECT_TRUE(is_on_disk("seen"));
}

TEST_F(Sealed, PlainObjectsAreSealedWhenTheStoreIsOpened) {
  write("", "x", "hunter2");
  write("", "y", "hunter3");
  {
    // A replaced version and a deleted object: both may be in free pages.
    const auto store = open_or_die(options(""));
    ASSERT_TRUE(store->commit({{Verb::kUpdate, thing("x").with_at({"spec", "text"}, "hunter4")}}));
    ASSERT_TRUE(store->commit({{Verb::kDelete, thing("y")}}));
  }
  EXPECT_TRUE(is_on_disk("hunter4"));
  EXPECT_EQ(read("a", "x"), "hunter4");
  EXPECT_FALSE(is_on_disk("hunter"));
}

TEST_F(Sealed, WhatWasCutShortIsFinishedTheNextTime) {
  write("", "x", "hunter2" + std::string(40'000, '.'));
  {
    // The state after a process dies between the last write and the removal of the old texts.
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open((folder.path() / "store.db").c_str(), &db), SQLITE_OK);
    const auto sealed = Backwards("a").seal(
        R"({"apiVersion":"test/v1","kind":"Thing","metadata":{"name":"x","namespace":"default","resourceVersion":"2"}})",
        "2 Thing.test default/x");
    ASSERT_TRUE(sealed);
    const std::string sql = fmt::format(
        "PRAGMA secure_delete = OFF; UPDATE log SET v = '{}' WHERE rv = 2;"
        "INSERT INTO meta VALUES('scrub', 1)",
        *sealed);
    ASSERT_EQ(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(db);
  }
  ASSERT_TRUE(is_on_disk("hunter2"));
  EXPECT_EQ(read("a", "x"), "");
  EXPECT_FALSE(is_on_disk("hunter2"));
}

TEST_F(Sealed, AnOlderKeyIsReplacedByTheFirst) {
  write("a", "x", "hunter2");
  EXPECT_EQ(read("ba", "x"), "hunter2");
  EXPECT_EQ(read("b", "x"), "hunter2") << "the older key is needed no more";
}

TEST_F(Sealed, ALostKeyKeepsTheStoreClosedUnlessItIsForgotten) {
  write("a", "x", "hunter2");
  write("ba", "y", "hunter3");
  const auto refused = open_embedded(options("c"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::kInvalid);
  const std::string text = refused.error().text();
  EXPECT_NE(text.find("Thing.test default/x, Thing.test default/y; look for it"), std::string::npos)
      << text;
  EXPECT_EQ(read("b", "y"), "hunter3") << "nothing was changed";
  EmbeddedOptions forgetting = options("c");
  forgetting.forget_lost = true;
  {
    const auto store = open_or_die(forgetting);
    const auto found = store->get(thing_key("x"));
    ASSERT_TRUE(found);
    EXPECT_TRUE((*found)["metadata"]["annotations"].contains("portico.dev/content-lost"));
    EXPECT_FALSE(found->contains("spec"));
  }
  const auto store = open_or_die(options("c"));
  EXPECT_TRUE(store->commit({{Verb::kUpdate, thing("x").with_at({"spec", "text"}, "again")}}));
}

TEST_F(Sealed, WithoutACipherItIsNotOpened) {
  write("a", "x", "hunter2");
  const auto refused = open_embedded(options(""));
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().text().find("it is encrypted, but there is no encryption key"),
            std::string::npos);
}

}  // namespace
}  // namespace portico::store
