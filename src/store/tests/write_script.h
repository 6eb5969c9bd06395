// Case files of writes, replayed on any registry.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "store/tests/store_fixture.h"

namespace portico::store {

/// Replays a script. One write per line: "create|update|status|all|replace|delete|orphan|foreground
/// {object}" (the last two delete with that propagation); apiVersion test/v1, kind Thing and
/// namespace default are filled in ("namespace":"" for none). Lines between "begin" and "commit",
/// "commit each" or "dry run" form one call. $name stands for the uid of the object first created
/// with that name; "tick" advances the clock by a second.
class WriteScript {
 public:
  WriteScript(registry::Registry& registry, ManualClock& clock)
      : store_(&registry), clock_(clock) {}

  /// Later writes go to this registry.
  void use(registry::Registry& registry) { store_ = &registry; }

  std::string run(const std::string& script) {
    out_.clear();
    std::istringstream lines(script);
    std::vector<registry::Write> batch;
    bool in_batch = false;
    for (std::string line; std::getline(lines, line);) {
      if (line.empty()) continue;
      if (line == "tick") {
        clock_.move(std::chrono::seconds(1));
      } else if (line == "begin") {
        in_batch = true;
      } else if (line == "commit" || line == "commit each" || line == "dry run") {
        if (line == "commit") show(store_->commit(batch));
        if (line == "commit each") commit_each(batch);
        if (line == "dry run") show(store_->dry_run(batch));
        batch.clear();
        in_batch = false;
      } else {
        batch.push_back(write(line));
        if (!in_batch) {
          show(store_->commit(batch));
          batch.clear();
        }
      }
    }
    return out_;
  }

  static std::string shown(const std::vector<registry::Event>& events) {
    std::string out;
    for (const registry::Event& event : events) {
      constexpr const char* kNames[] = {"added", "modified", "deleted"};
      out += std::to_string(event.version) + " " + kNames[static_cast<int>(event.change)] + " " +
             krm::object_key(event.object).text() + "\n";
      EXPECT_EQ(event.previous.is_null(), event.change == registry::Change::kAdded);
    }
    return out;
  }

 private:
  registry::Write write(const std::string& line) {
    const std::size_t blank = line.find(' ');
    using registry::Propagation, registry::Verb;
    const std::map<std::string, std::pair<Verb, Propagation>> verbs = {
        {"create", {Verb::kCreate, {}}},
        {"update", {Verb::kUpdate, {}}},
        {"status", {Verb::kUpdateStatus, {}}},
        {"all", {Verb::kUpdateAll, {}}},
        {"replace", {Verb::kReplace, {}}},
        {"delete", {Verb::kDelete, Propagation::kBackground}},
        {"orphan", {Verb::kDelete, Propagation::kOrphan}},
        {"foreground", {Verb::kDelete, Propagation::kForeground}}};
    std::string text = line.substr(blank + 1);
    for (const auto& [name, uid] : uids_)
      for (std::size_t at; (at = text.find("\"$" + name + "\"")) != std::string::npos;)
        text.replace(at + 1, name.size() + 1, uid);
    auto object = json::parse(text);
    EXPECT_TRUE(object) << line;
    json::Value full = *object;
    if (!full.contains("apiVersion")) full = full.with("apiVersion", "test/v1");
    if (!full.contains("kind")) full = full.with("kind", "Thing");
    if (!full["metadata"].contains("namespace"))
      full = full.with_at({"metadata", "namespace"}, "default");
    else if (krm::namespace_of(full).empty())
      full = full.without_at({"metadata", "namespace"});
    const auto [verb, propagation] = verbs.at(line.substr(0, blank));
    return {verb, full, propagation};
  }

  void show(const Result<std::vector<json::Value>>& objects) {
    if (!objects) return show(objects.error());
    for (const json::Value& object : *objects) show(object);
  }

  void commit_each(const std::vector<registry::Write>& batch) {
    for (const auto& one : store_->commit_each(batch)) one ? show(*one) : show(one.error());
  }

  void show(const Error& error) {
    out_ += std::string(name(error.reason, error.code)) + ": " + with_names(error.text()) + "\n";
  }

  void show(const json::Value& object) {
    uids_.emplace(krm::name_of(object), krm::uid_of(object));
    out_ += with_names(json::print(object.without("apiVersion").without("kind"))) + "\n";
  }

  std::string with_names(std::string text) const {
    for (const auto& [name, uid] : uids_)
      for (std::size_t at; (at = text.find(uid)) != std::string::npos;)
        text.replace(at, uid.size(), "$" + name);
    return text;
  }

  registry::Registry* store_;
  ManualClock& clock_;
  std::map<std::string, std::string> uids_;
  std::string out_;
};

}  // namespace portico::store
