// Removals never share a push with new commits.
#include "git/internal/push_order.h"

#include <gtest/gtest.h>

#include <sstream>

namespace portico::git {
namespace {

// "main 1 2" moves main from commit 1 to 2; "-" means no ref.
std::vector<RefChange> changes_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<RefChange> out;
  std::string name, before, after;
  const auto id = [](const std::string& word) {
    return word == "-" ? Oid{} : object_id(ObjectType::kBlob, word);
  };
  while (in >> name >> before >> after) out.push_back({name, id(before), id(after)});
  return out;
}

std::string names(const std::vector<RefChange>& changes) {
  std::string out;
  for (const RefChange& change : changes) out += (out.empty() ? "" : " ") + change.name;
  return out;
}

TEST(PushOrder, WhatIsNewGoesFirst) {
  const struct {
    const char *what, *changes, *first, *rest;
  } kCases[] = {
      {"new drafts", "a - 1 b 2 3", "a b", ""},
      {"a removal", "a 1 -", "", "a"},
      {"a draft is proposed", "drafts/a 1 - proposed/a - 1", "", "drafts/a proposed/a"},
      {"a proposal is approved", "main 1 2 proposed/a 3 - tags/v1 - 2", "main tags/v1",
       "proposed/a"},
      {"both at once", "main 1 2 drafts/b 4 - proposed/a 3 - proposed/b - 4 tags/v1 - 2",
       "main tags/v1", "drafts/b proposed/a proposed/b"},
      {"a draft that is proposed with a new commit", "drafts/a 1 - proposed/a - 2", "proposed/a",
       "drafts/a"},
      {"nothing", "", "", ""},
  };
  for (const auto& one : kCases) {
    const PushOrder order = push_order(changes_of(one.changes));
    EXPECT_EQ(names(order.first), one.first) << one.what;
    EXPECT_EQ(names(order.rest), one.rest) << one.what;
  }
}

}  // namespace
}  // namespace portico::git
