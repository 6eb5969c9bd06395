// A bare repository, its store, and helpers that create commits to write to it.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "git/store.h"
#include "testing/cases.h"
#include "testing/git_sandbox.h"

namespace portico::git {

inline std::string run(const std::string& folder, const std::vector<std::string>& arguments) {
  return portico::testing::git(folder, arguments);
}

inline Oid id_of(const std::string& hex) { return *parse_oid(hex); }

// Stages a commit whose only file contains `text`.
inline Oid stage_commit(Staging& staging, const std::string& text, std::vector<Oid> parents = {}) {
  const Oid blob = staging.add(ObjectType::kBlob, text);
  Commit commit;
  commit.tree = staging.add(ObjectType::kTree, encode_tree({{kModeFile, "file", blob}}));
  commit.parents = std::move(parents);
  commit.author = commit.committer = {"T", "t@example.com", {}, 0};
  commit.message = text + "\n";
  return staging.add(ObjectType::kCommit, encode_commit(commit));
}

// Moves a ref from one value to a new commit.
inline Result<Done> move_ref(Store& store, const std::string& ref, Oid from,
                             const std::string& text, Oid* made = nullptr) {
  Staging staging;
  const Oid id =
      stage_commit(staging, text, from.is_zero() ? std::vector<Oid>{} : std::vector{from});
  if (made) *made = id;
  return store.write([&](Batch& batch) -> Result<Done> {
    PORTICO_TRY(const Oid now, batch.lock(ref));
    if (now != from) return conflict("{} is at {}", ref, now.short_hex());
    batch.add(staging);
    return batch.set(ref, id);
  });
}

class StoreTest : public ::testing::Test {
 protected:
  void SetUp() override { bare_ = portico::testing::make_bare(temp_.path().string(), "a.git"); }

  std::unique_ptr<Store> open_here(StoreOptions options = {}) {
    auto store = Store::open(bare_, std::move(options));
    EXPECT_TRUE(store) << (store ? "" : store.error().text());
    return store ? *std::move(store) : nullptr;
  }

  portico::testing::TempDir temp_;
  std::string bare_;
};

}  // namespace portico::git
