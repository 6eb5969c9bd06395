// Transcripts of a fleet with running controllers: after each command everything settles, and the
// changes of package revisions, variants and sets are shown.
#pragma once

#include <algorithm>
#include <memory>
#include <set>
#include <string>

#include "api/package_variant.h"
#include "api/package_variant_set.h"
#include "controllers/all.h"
#include "controllers/events.h"
#include "controllers/manager.h"
#include "controllers/pending_work.h"
#include "controllers/planner.h"
#include "controllers/rollback.h"
#include "drafts/tests/script.h"
#include "packages/names.h"

namespace portico::controllers {

inline const krm::GroupKind kVariantType{std::string(api::kConfigGroup),
                                         std::string(api::kVariantKind)};
inline const krm::GroupKind kSetType{std::string(api::kConfigGroup),
                                     std::string(api::kVariantSetKind)};

/// The object to store: a new spec replaces the stored one; stored metadata and status are kept.
inline json::Value applied_to(const registry::Registry& registry, json::Value object) {
  if (!object["metadata"].contains("namespace"))
    object = object.with_at({"metadata", "namespace"}, drafts::Fleet::kNs);
  const auto stored = registry.get(krm::object_key(object));
  if (!stored) return object;
  json::Value out = *stored;
  for (const json::Member& member : object.members())
    if (member.name() != "metadata" && member.name() != "status")
      out = out.with(member.name(), member.value);
  for (const char* field : {"labels", "annotations"})
    if (const json::Value& value = object["metadata"][field]; !value.is_null())
      out = out.with_at({"metadata", field}, value);
  return out;
}

/// Commands in addition to those of drafts::Script:
///   apply SECTION           creates or updates the section's objects
///   delete-object KIND NAME (a group of Portico, or the core group)
///   plan SECTION            plans it, then applies it and expects what was planned
///   plan-delete KIND NAME   the same for a deletion
///   settle                  reconciles everything again, which must find nothing to do
///   status NAME, conditions NAME   of a variant; metadata variant|revision NAME
///   conditions-of KIND NAME        with their messages
///   own NAME OTHER, disown NAME    another object controls the revision, or none
///   pause, resume           stops the controllers in between
///   later DURATION          lets time pass, then restarts the controllers
///   events NAME             of a variant or a revision
///   annotate NAME KEY=VALUE a revision, as a user
///   rollback NAME VERSION   a draft with the content of an earlier version, as a user
///   log NAME                the commits of a revision, oldest last, with the decisions behind them
///   rebuild                 loses the store and registers the repositories again
class FleetScript : public drafts::Script {
 public:
  FleetScript(drafts::Fleet& fleet, const portico::testing::Case& one) : Script(fleet, one) {
    commands_["apply"] = [this](const Words& words) {
      write(*fleet_.registry, drafts::objects_from(section(words.at(0))));
      return std::string();
    };
    commands_["delete-object"] = [this](const Words& words) {
      const auto stored = fleet_.registry->get(object_key_of(words));
      if (!stored) return error_text(stored.error());
      const auto done = fleet_.registry->commit(
          {{registry::Verb::kDelete, stored->without_at({"metadata", "resourceVersion"})}});
      return done ? std::string() : error_text(done.error());
    };
    for (const char* nothing : {"pause", "resume"})
      commands_[nothing] = [](const Words&) { return std::string(); };
    commands_["settle"] = [](const Words&) { return std::string(); };
    commands_["later"] = [this](const Words& words) {
      stop();
      fleet_.clock.move(drafts::must(api::parse_wait(words.at(0))));
      return std::string();
    };
    commands_["events"] = [this](const Words& words) {
      const auto variant = fleet_.registry->get({kVariantType, drafts::Fleet::kNs, words.at(0)});
      const json::Value about = variant ? *variant : drafts::must(fleet_.revision(words.at(0)));
      std::string out;
      for (const json::Value& each : drafts::must(events_of(*fleet_.registry, about)))
        out += fmt::format("{} {} x{}: {}\n", each["type"].as_string(), each["reason"].as_string(),
                           each["count"].as_int(), each["message"].as_string());
      return out;
    };
    commands_["annotate"] = [this](const Words& words) {
      const auto [annotation, value] = pair_of(words.at(1));
      drafts::must(fleet_.registry->commit(
          {{registry::Verb::kUpdate,
            drafts::must(fleet_.revision(words.at(0)))
                .with_at({"metadata", "annotations", annotation}, value)}}));
      return std::string();
    };
    commands_["rollback"] = [this](const Words& words) {
      const auto back = rollback(*fleet_.registry, drafts::Fleet::kNs, words.at(0), words.at(1), "",
                                 {"Grace", "grace@example.com"});
      if (!back) return error_text(back.error());
      const auto drafted = fleet_.drafts->draft(back->request);
      return drafted ? revision_line(drafted->object) + "\n" : error_text(drafted.error());
    };
    commands_["log"] = [this](const Words& words) {
      std::string out;
      const auto changes =
          drafts::must(fleet_.packages->log(drafts::must(fleet_.revision(words.at(0))), 100));
      for (const packages::Change& each : changes) {
        out +=
            fmt::format("{} by {}{}\n", each.subject, each.author.substr(0, each.author.find(' ')),
                        each.workspace.empty() ? "" : " in " + each.workspace);
        for (const std::string& decision : each.decisions) out += "  " + decision + "\n";
      }
      return out;
    };
    commands_["plan"] = [this](const Words& words) {
      const auto objects = drafts::objects_from(section(words.at(0)));
      std::set<krm::ObjectKey> asked;
      for (const json::Value& object : objects)
        asked.insert(krm::object_key(applied_to(*fleet_.registry, object)));
      return plan([&](registry::Registry& registry) { write(registry, objects); }, asked);
    };
    commands_["plan-delete"] = [this](const Words& words) {
      const auto key = object_key_of(words);
      if (const auto stored = fleet_.registry->get(key); !stored) return error_text(stored.error());
      return plan(
          [&](registry::Registry& registry) {
            drafts::must(registry.commit(
                {{registry::Verb::kDelete,
                  drafts::must(registry.get(key)).without_at({"metadata", "resourceVersion"})}}));
          },
          {});
    };
    commands_["status"] = [this](const Words& words) {
      const json::Value variant =
          drafts::must(fleet_.registry->get({kVariantType, drafts::Fleet::kNs, words.at(0)}));
      json::Value status = variant["status"].without("conditions");
      std::vector<json::Value> targets;
      for (const json::Value& each : status["downstreamTargets"].items())
        targets.push_back(each.without("inputsHash"));
      return json::print(status.with("downstreamTargets", json::Value::array(targets))) + "\n";
    };
    commands_["conditions"] = [this](const Words& words) {
      const json::Value variant =
          drafts::must(fleet_.registry->get({kVariantType, drafts::Fleet::kNs, words.at(0)}));
      std::string out;
      for (const json::Value& each : variant["status"]["conditions"].items())
        out += fmt::format("{} {} {} since {}, of generation {}\n", each["type"].as_string(),
                           each["status"].as_string(), each["reason"].as_string(),
                           each["lastTransitionTime"].as_string(),
                           each["observedGeneration"].as_int());
      return out;
    };
    commands_["conditions-of"] = [this](const Words& words) {
      const json::Value object = drafts::must(fleet_.registry->get(
          {{std::string(api::kConfigGroup), words.at(0)}, drafts::Fleet::kNs, words.at(1)}));
      std::string out;
      for (const json::Value& each : object["status"]["conditions"].items())
        out += fmt::format("{} {} {}: {}\n", each["type"].as_string(), each["status"].as_string(),
                           each["reason"].as_string(), each["message"].as_string());
      return out;
    };
    commands_["metadata"] = [this](const Words& words) {
      const json::Value object =
          words.at(0) == "variant"
              ? drafts::must(fleet_.registry->get({kVariantType, drafts::Fleet::kNs, words.at(1)}))
              : drafts::must(fleet_.revision(words.at(1)));
      std::string out;
      for (const char* field : {"labels", "annotations", "finalizers"})
        if (const json::Value& value = object["metadata"][field]; !value.is_null())
          out += std::string(field) + " " + json::print(value) + "\n";
      return out;
    };
    commands_["own"] = [this](const Words& words) {
      // A real object with that uid, so that the owner reference is not garbage-collected.
      json::Value holder =
          drafts::objects_from("{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}").front();
      holder = fleet_.store_new(holder.with_at({"metadata", "name"}, words.at(1))
                                    .with_at({"metadata", "namespace"}, drafts::Fleet::kNs));
      const json::Value changed = krm::with_owners(
          drafts::must(fleet_.revision(words.at(0))),
          {{"v1", "ConfigMap", words[1], std::string(krm::uid_of(holder)), true, false}});
      drafts::must(fleet_.registry->commit({{registry::Verb::kUpdate, changed}}));
      return std::string();
    };
    commands_["disown"] = [this](const Words& words) {
      const json::Value changed = krm::with_owners(drafts::must(fleet_.revision(words.at(0))), {});
      drafts::must(fleet_.registry->commit({{registry::Verb::kUpdate, changed}}));
      return std::string();
    };
    commands_["rebuild"] = [this](const Words&) {
      stop();
      const auto repositories = fleet_.all(drafts::kRepositoryType);
      fleet_.reopen();
      for (const json::Value& each : repositories) {
        json::Value bare = each.without("status");
        for (const char* field : {"uid", "resourceVersion", "creationTimestamp", "generation"})
          bare = bare.without_at({"metadata", field});
        fleet_.store_new(bare);
      }
      return std::string();
    };
  }
  ~FleetScript() override { stop(); }

  void stop() { manager_.reset(); }

 protected:
  std::string after(const std::string& verb, const std::string& line) override {
    if (verb == "resume") paused_ = false;
    if (verb == "pause") {
      paused_ = true;
      stop();
    }
    if (paused_) return "";
    if (manager_ == nullptr) {
      manager_ = Manager::make(options());
      drafts::must(manager_->start());
    }
    EXPECT_TRUE(settle(*manager_)) << case_.file() << ": \"" << line << "\" does not settle";
    says_so(line);
    if (verb == "settle" || verb.starts_with("plan") || verb == "end") quiet(line);
    std::string out;
    std::set<std::string> now = state();
    for (const std::string& each : state_)
      if (!now.contains(each)) out += "  - " + each + "\n";
    for (const std::string& each : now)
      if (!state_.contains(each)) out += "  + " + each + "\n";
    state_ = std::move(now);
    return out;
  }

 private:
  ManagerOptions options() {
    return {.registry = *fleet_.registry,
            .log = log_,
            .controllers = all_controllers({.registry = *fleet_.registry,
                                            .packages = *fleet_.packages,
                                            .drafts = *fleet_.drafts,
                                            .repository_health = reach_,
                                            .clock = fleet_.clock,
                                            .workers = 4})};
  }

  static bool settle(Manager& manager) {
    return manager.wait_settled(std::chrono::seconds(20), [](const Progress&) {});
  }

  static krm::ObjectKey object_key_of(const Words& words) {
    const std::string group = words.at(0) == "Cluster"     ? "example.com"
                              : words.at(0) == "ConfigMap" ? ""
                                                           : std::string(api::kConfigGroup);
    return {{group, words[0]}, drafts::Fleet::kNs, words.at(1)};
  }

  // In one commit, as one apply does.
  void write(registry::Registry& registry, const std::vector<json::Value>& objects) {
    std::vector<registry::Write> writes;
    for (const json::Value& object : objects) {
      const json::Value whole = applied_to(registry, object);
      const bool there = registry.get(krm::object_key(whole)).ok();
      writes.push_back({there ? registry::Verb::kUpdate : registry::Verb::kCreate, whole});
      if (krm::group_kind(whole) == drafts::kRepositoryType)
        repositories_.emplace(krm::name_of(whole));
    }
    drafts::must(registry.commit(writes));
  }

  std::string all_refs() const {
    std::string out;
    for (const json::Value& each : fleet_.all(drafts::kRepositoryType)) out += fleet_.refs_of(each);
    return out;
  }

  /// A full reconcile finds nothing to do, which shows that the events woke everything they had to.
  void quiet(const std::string& line) {
    const auto version = fleet_.registry->version();
    const std::string refs = all_refs();
    const std::set<std::string> before = state();
    // Unless a wait ends in that minute.
    if (!is_work_left(fleet_.clock.now() + std::chrono::minutes(1)))
      fleet_.clock.move(std::chrono::minutes(1));
    const auto another = Manager::make(options());
    drafts::must(another->start());
    EXPECT_TRUE(settle(*another));
    another->stop();
    EXPECT_EQ(refs, all_refs()) << case_.file() << ": after \"" << line << "\"";
    EXPECT_EQ(before, state()) << case_.file() << ": after \"" << line << "\"";
    EXPECT_EQ(changes_since(version), "") << case_.file() << ": after \"" << line << "\"";
  }

  /// The objects alone show that nothing is left to do.
  void says_so(const std::string& line) {
    PendingWork outstanding(*fleet_.registry, true);
    const auto all = outstanding.look({}, fleet_.clock.now());
    ASSERT_TRUE(all) << all.error().text();
    for (const auto& [key, one] : *all)
      EXPECT_NE(one.left, variants::WorkLeft::kWork)
          << case_.file() << ": after \"" << line << "\": " << key.text() << " says "
          << json::print(drafts::must(fleet_.registry->get(key))["status"]) << ", decided "
          << (one.variant ? variants::name(one.variant->step) : "nothing");
  }

  bool is_work_left(TimePoint now) const {
    const auto all = drafts::must(PendingWork(*fleet_.registry, true).look({}, now));
    return std::any_of(all.begin(), all.end(), [](const auto& each) {
      return each.second.left == variants::WorkLeft::kWork;
    });
  }

  std::string changes_since(registry::ResourceVersion version) const {
    std::string out;
    const auto watch = fleet_.registry->watch({}, version);
    if (const auto events = watch->next(std::chrono::milliseconds(0)))
      for (const registry::Event& event : *events)
        out += krm::object_key(event.object).text() + " is " + json::print(event.object) + "\n";
    return out;
  }

  static std::string conditions(const json::Value& object) {
    std::string out, messages;
    for (const json::Value& each : object["status"]["conditions"].items()) {
      out += " " + std::string(each["type"].as_string()) + "=" +
             std::string(each["status"].as_string()) + "/" +
             std::string(each["reason"].as_string());
      const bool fine =
          each["type"].as_string().ends_with("Ready") == (each["status"].as_string() == "True");
      if (!fine && messages.find(each["message"].as_string()) == std::string::npos)
        messages += " (" + std::string(each["message"].as_string()) + ")";
    }
    return out + messages;
  }

  std::set<std::string> state() const {
    std::set<std::string> out;
    for (const json::Value& each : fleet_.all(drafts::kRevisionType))
      out.insert("revision " + revision_line(each));
    for (const json::Value& each : fleet_.all(kVariantType)) {
      std::string line = "variant " + std::string(krm::name_of(each)) + conditions(each);
      for (const json::Value& target : each["status"]["downstreamTargets"].items())
        line += " -> " + std::string(target["name"].as_string());
      if (krm::is_deleting(each)) line += " deleting";
      out.insert(masked(std::move(line)));
    }
    for (const json::Value& each : fleet_.all(kSetType)) {
      const json::Value& counts = each["status"]["targets"];
      out.insert(masked(fmt::format("set {}{} desired={} ready={} failed={} waiting={}",
                                    krm::name_of(each), conditions(each),
                                    counts["desired"].as_int(), counts["ready"].as_int(),
                                    counts["failed"].as_int(), counts["waiting"].as_int())));
    }
    return out;
  }

  /// What a plan predicts: every revision with its content and location, and the specs and
  /// conditions of variants and sets. Generated ids and times are left out.
  std::map<std::string, std::string> world(const registry::Registry& registry) const {
    std::map<std::string, std::string> out;
    const auto all = [&](const krm::GroupKind& type) {
      return drafts::must(registry.list({.type = type})).objects;
    };
    for (const json::Value& each : all(drafts::kRevisionType))
      out["revision " + std::string(krm::name_of(each))] =
          masked(revision_line(each) + " tree " +
                 std::string(each["status"]["tree"].as_string()).substr(0, 40).insert(0, "t") +
                 " base t" + std::string(each["status"]["base"]["tree"].as_string()) + " " +
                 json::print(each["spec"]) + json::print(each["status"]["conditions"]) +
                 json::print(each["metadata"]["annotations"]));
    for (const krm::GroupKind& type : {kVariantType, kSetType})
      for (const json::Value& each : all(type))
        out[type.kind + " " + std::string(krm::name_of(each))] =
            masked(json::print(each["spec"]) + conditions(each) +
                   json::print(each["status"]["mergeConflicts"]) +
                   (krm::is_deleting(each) ? " deleting" : ""));
    return out;
  }

  /// A change to the store or to a fork of it.
  using Change = std::function<void(registry::Registry&)>;

  std::string plan(const Change& change, const std::set<krm::ObjectKey>& asked) {
    if (paused_) {  // no controller would carry it out
      change(*fleet_.registry);
      return "";
    }
    const auto version = fleet_.registry->version();
    const std::string refs = all_refs();
    const auto fork = drafts::must(fleet_.registry->fork());
    change(*fork);
    const portico::testing::TempDir scratch{portico::testing::memory_folder()};
    const drafts::Fleet::Engines over = fleet_.over(*fork, scratch.path().string());
    RepositoryHealth repository_health;
    const Plan plan =
        drafts::must(make_plan(*fleet_.registry,
                               {.registry = *fork,
                                .packages = *over.packages,
                                .drafts = *over.drafts,
                                .repository_health = repository_health,
                                .clock = fleet_.clock,
                                .workers = 4},
                               log_, asked, std::chrono::seconds(20), [](const Progress&) {}));
    EXPECT_EQ(fleet_.registry->version(), version) << case_.file() << ": a plan wrote to the store";
    EXPECT_EQ(all_refs(), refs) << case_.file() << ": a plan wrote to git";

    // Exactly what was predicted happens.
    stop();  // as with `apply --wait`: the controllers start after the change, and read git first
    change(*fleet_.registry);
    manager_ = Manager::make(options());
    drafts::must(manager_->start());
    EXPECT_TRUE(settle(*manager_));
    EXPECT_EQ(world(*fork), world(*fleet_.registry))
        << case_.file() << ": a plan did not come true";
    const auto failing = drafts::must(errors_of(*fleet_.registry, *fleet_.registry, asked));
    EXPECT_EQ(failing.size(), plan.errors.size()) << case_.file();
    for (std::size_t i = 0; i < std::min(failing.size(), plan.errors.size()); ++i) {
      EXPECT_EQ(failing[i].key, plan.errors[i].key) << case_.file();
      EXPECT_EQ(masked(failing[i].message), masked(plan.errors[i].message)) << case_.file();
    }
    for (const PlannedVariant& each : plan.variants)
      if (each.built && !each.error && !each.revision.empty() &&
          fleet_.revision(each.revision).ok() && is_last(plan, each)) {
        EXPECT_EQ(*fleet_.content(each.revision), each.built->content) << each.revision;
      }
    return text_of(plan);
  }

  // Whether no later step of the plan changes the same revision.
  static bool is_last(const Plan& plan, const PlannedVariant& one) {
    for (const PlannedVariant* later = &one + 1;
         later < plan.variants.data() + plan.variants.size(); ++later)
      if (later->revision == one.revision) return false;
    return true;
  }

  static std::string text_of(const Plan& plan) {
    std::string out;
    for (const PlannedSet& set : plan.sets) {
      out += fmt::format("set {} desired={}\n", set.key.name, set.desired);
      for (const variants::SetAction& action : set.actions)
        out += fmt::format("  {} {}\n", variants::name(action.verb), action.object->metadata.name);
      for (const variants::FailedTarget& each : set.failures)
        out += "  fails " + each.error.text() + "\n";
      if (set.stall) out += "  stalls " + set.stall->message + "\n";
      if (set.hold) out += "  holds " + set.hold->message + "\n";
      if (set.no_match) out += "  " + *set.no_match + "\n";
    }
    for (const PlannedVariant& each : plan.variants) {
      out += fmt::format("variant {} {} {}\n", each.key.name, variants::name(each.decision.step),
                         each.workspace);
      for (const Fate& fate : fates_of(each.decision.step))
        out += fmt::format("  {} {}\n", fate.word, fate.revision);
      if (each.built)
        for (const merge::Conflict& conflict : each.built->conflicts)
          out += "  conflict " + merge::conflict_text(conflict) + "\n";
      if (each.error) out += "  " + each.error->text() + "\n";
    }
    for (const PlannedError& each : plan.errors)
      out += fmt::format("error{} {} {}: {}\n", each.before ? " (as before)" : "",
                         each.key.type.kind, each.key.name, each.message);
    return out;
  }

  NoLog log_;
  RepositoryHealth reach_;
  std::unique_ptr<Manager> manager_;
  std::set<std::string> state_;
  bool paused_ = false;
};

}  // namespace portico::controllers
