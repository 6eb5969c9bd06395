// Helpers that build packages and drafts to write.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "repo/repository.h"

namespace portico::repo {

inline const Signature kAlice{"Alice", "alice@example.com",
                              std::chrono::sys_seconds(std::chrono::seconds(1'700'000'000))};

inline krm::Package sample(const std::string& value = "1") {
  krm::Package package;
  package.set("Kptfile", "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n");
  package.set("deploy/app.yaml", "value: " + value + "\n");
  package.files.insert_or_assign("run.sh", krm::File("#!/bin/sh\n", krm::FileMode::kExecutable));
  package.files.insert_or_assign("link", krm::File("run.sh", krm::FileMode::kSymlink));
  package.files.insert_or_assign("logo.bin", krm::File(std::string("\0\xff\r\n\x80", 5)));
  return package;
}

inline DraftWrite draft_of(const std::string& package, const std::string& workspace,
                           const std::string& value = "1") {
  DraftWrite write;
  write.package = package;
  write.workspace = workspace;
  write.content = sample(value);
  write.message.subject = "Creating new empty revision";
  write.message.task = R"({"type":"init"})";
  write.author = kAlice;
  return write;
}

template <class T>
T must(Result<T> result) {
  if (!result) {
    ADD_FAILURE() << result.error().text();
    std::abort();
  }
  return *std::move(result);
}

inline std::string show(const std::vector<Revision>& revisions) {
  std::string out;
  for (const Revision& one : revisions)
    out += fmt::format("{} {} {} {} {}\n", one.package, one.workspace, one.revision,
                       name(one.lifecycle), one.ref);
  return out;
}

}  // namespace portico::repo
