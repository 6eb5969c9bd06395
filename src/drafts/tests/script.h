// Tests as transcripts: runs the script of a case file on a fleet, command by command, and compares
// the output with the case's section "want".
#pragma once

#include <functional>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "drafts/tests/fleet.h"
#include "json/text.h"
#include "krm/diff.h"
#include "merge/on_conflict.h"
#include "packages/lifecycle.h"
#include "testing/cases.h"

namespace portico::drafts {

/// The commands of a script:
///   repo NAME [deployment] [dir=D] [git=OTHER]   a git repository, its object, a sync
///   bytes REPO PACKAGE                           a package with unusual files, by plain git
///   commit REPO [BRANCH] PATH=SECTION ... PATH=  by plain git; without a section, deletes it
///   git REPO WORD ...                            plain git
///   sync REPO
///   init REPO PACKAGE WORKSPACE
///   clone UPSTREAM REPO PACKAGE WORKSPACE
///   copy SOURCE WORKSPACE
///   upgrade LOCAL NEW WORKSPACE [KEY=VALUE ...]  strategy, conflict, old
///   rebase DRAFT ONTO [conflict=WORD]
///   origin SOURCE UPSTREAM WORKSPACE|in-place
///   history NAME
///   push DRAFT PATH=SECTION ... [version=N]      the draft's files with some replaced
///   propose|approve|reject|propose-delete|delete NAME
///   list, cat NAME PATH, files NAME, show NAME FIELD.FIELD, refs REPO, label NAME KEY=VALUE
///   same NAME NAME [PATH ...]                    except for these files
///   diff NAME NAME, lineage NAME
/// Masks what a script must not depend on: commit ids and the temporary folder.
class Script {
 public:
  using Words = std::vector<std::string>;

  Script(Fleet& fleet, const portico::testing::Case& one) : fleet_(fleet), case_(one) {
    add_git();
    add_drafts();
    add_lifecycle();
    add_looks();
  }
  virtual ~Script() = default;

  std::string run() {
    std::istringstream lines(case_["script"]);
    for (std::string line; std::getline(lines, line);) {
      if (line.empty() || line.starts_with("#")) continue;
      fleet_.clock.move(std::chrono::minutes(1));
      Words words = split(line);
      const std::string verb = words.front();
      const auto at = commands_.find(verb);
      if (at == commands_.end()) {
        ADD_FAILURE() << case_.file() << ": no command \"" << verb << "\"";
        continue;
      }
      words.erase(words.begin());
      std::string said;
      try {
        said = at->second(words);
      } catch (const std::exception& error) {
        said = std::string("exception: ") + error.what() + "\n";
      }
      transcript_ += "$ " + line + "\n" + masked(std::move(said));
      transcript_ += after(verb, line);
    }
    transcript_ += after("end", "the end");
    return transcript_;
  }

 protected:
  using Command = std::function<std::string(const Words&)>;

  /// Checks the invariants after each command; returns text for the transcript.
  virtual std::string after(const std::string& verb, const std::string& line) {
    // After commands through the engine the store matches git, so a sync writes nothing.
    if (verb == "commit" || verb == "git" || verb == "bytes") dirty_ = true;
    if (verb == "sync") dirty_ = false;
    if (dirty_) return "";
    for (const std::string& name : repositories_) {
      const auto synced = fleet_.sync(name);
      if (!synced || shared_) continue;
      EXPECT_EQ(synced->written, 0U) << case_.file() << ": a sync of " << name << " after \""
                                     << line << "\" has something to write";
    }
    return "";
  }

  static std::string error_text(const Error& error) {
    return std::string("error ") + portico::name(error.code) + ": " + error.text() + "\n";
  }

  static Words split(const std::string& line) {
    std::istringstream in(line);
    Words words;
    for (std::string word; in >> word;) words.push_back(std::move(word));
    return words;
  }

  /// "key=value" at its first '='.
  static std::pair<std::string, std::string> pair_of(const std::string& word) {
    const std::size_t at = word.find('=');
    if (at == std::string::npos) return {word, ""};
    return {word.substr(0, at), word.substr(at + 1)};
  }

  std::string section(const std::string& name) const {
    if (!case_.has(name)) ADD_FAILURE() << case_.file() << ": no section \"" << name << "\"";
    return case_[name];
  }

  std::string masked(std::string text) const {
    static const std::regex kUid("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    text = std::regex_replace(text, kUid, "<uid>");
    static const std::regex kCommit(
        "\\b[0-9a-f]{64}\\b|\\b[0-9a-f]{40}\\b|\\b(?=[0-9a-f]*[0-9])[0-9a-f]{7,8}\\b");
    text = std::regex_replace(text, kCommit, "<id>");
    // One id in a thousand has no digit.
    static const std::regex kSaidByGit("\\(was [0-9a-f]{7,8}\\)");
    text = std::regex_replace(text, kSaidByGit, "(was <id>)");
    const std::string dir = fleet_.temp.path().string();
    for (std::size_t at = text.find(dir); at != std::string::npos; at = text.find(dir))
      text.replace(at, dir.size(), "<dir>");
    return text;
  }

  std::string drafted(DraftRequest request) const {
    request.ns = Fleet::kNs;
    request.actor = {"Ada", "ada@example.com"};
    const auto done = fleet_.drafts->draft(request);
    if (!done) return error_text(done.error());
    std::string out = done->object.is_null()
                          ? std::string("nothing changed")
                          : std::string(krm::name_of(done->object)) + " " +
                                std::string(done->object["spec"]["lifecycle"].as_string());
    for (const merge::Conflict& conflict : done->built.conflicts)
      out += "\n  conflict " + merge::conflict_text(conflict);
    return out + "\n";
  }

  DraftRequest sibling(const std::string& name, const std::string& workspace) const {
    const json::Value object = must(fleet_.revision(name));
    DraftRequest request;
    request.repository = object["spec"]["repository"].as_string();
    request.package = object["spec"]["packageName"].as_string();
    request.workspace = workspace;
    return request;
  }

  std::string workspace_of(const std::string& name) const {
    return std::string(must(fleet_.revision(name))["spec"]["workspaceName"].as_string());
  }

  /// "edge.web.v1 Published r1 latest": one line per revision, by name.
  static std::string revision_line(const json::Value& object) {
    const json::Value& spec = object["spec"];
    std::string out = std::string(krm::name_of(object)) + " " +
                      std::string(spec["lifecycle"].as_string()) + " r" +
                      std::to_string(spec["revision"].as_int()) + " " +
                      std::string(object["status"]["selfLock"]["git"]["ref"].as_string());
    if (!krm::label_of(object, api::kLatestRevisionLabel).empty()) out += " latest";
    for (const krm::OwnerReference& owner : krm::owners_of(object)) out += " owner=" + owner.name;
    return out;
  }

  Fleet& fleet_;
  const portico::testing::Case& case_;
  std::map<std::string, Command> commands_;
  std::set<std::string> repositories_;
  bool shared_ = false;  // several Repository objects share one git repository
  bool dirty_ = false;   // git was changed without the engine

 private:
  void add_git() {
    commands_["repo"] = [this](const Words& words) {
      std::string git = words.at(0), directory;
      bool deployment = false, made = false;
      for (std::size_t i = 1; i < words.size(); ++i) {
        const auto [key, value] = pair_of(words[i]);
        if (key == "deployment") deployment = true;
        if (key == "dir") directory = value;
        if (key == "git") git = value, made = shared_ = true;
      }
      if (!made) fleet_.make_git(git);
      fleet_.store_new(fleet_.repository_object(words[0], git, deployment, directory));
      repositories_.insert(words[0]);
      const auto synced = fleet_.sync(words[0]);
      return synced ? std::string() : error_text(synced.error());
    };
    commands_["commit"] = [this](const Words& words) {
      std::map<std::string, std::optional<std::string>> files;
      std::string branch = "main";
      for (std::size_t i = 1; i < words.size(); ++i) {
        const auto [path, from] = pair_of(words[i]);
        if (words[i].find('=') == std::string::npos)
          branch = words[i];
        else
          files[path] = from.empty() ? std::nullopt : std::optional(section(from));
      }
      fleet_.commit(words.at(0), branch, files);
      return std::string();
    };
    commands_["bytes"] = [this](const Words& words) {
      namespace fs = std::filesystem;
      const std::string kptfile =
          "# comment\r\napiVersion: kpt.dev/v1\r\nkind: Kptfile\r\nmetadata: {name: web}\r\n";
      std::string bytes(256, '\0');
      for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i);
      fleet_.commit(words.at(0), "main",
                    {{words.at(1) + "/Kptfile", kptfile},
                     {words.at(1) + "/all.bin", bytes},
                     {words.at(1) + "/empty", ""},
                     {words.at(1) + "/run.sh", "#!/bin/sh\n"},
                     {words.at(1) + "/not-utf8.txt", "a: \xff\xfe\n"},
                     {words.at(1) + "/no-newline.yaml",
                      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}"},
                     {words.at(1) + "/UPPER case \xc3\xa4.txt", "x\r\n"}},
                    [&](const fs::path& work) {
                      const fs::path folder = work / words.at(1);
                      fs::permissions(folder / "run.sh", fs::perms::owner_all);
                      fs::create_symlink("run.sh", folder / "link");
                    });
      return std::string();
    };
    commands_["git"] = [this](const Words& words) {
      const std::string said =
          portico::testing::git(fleet_.bare(words.at(0)), Words(words.begin() + 1, words.end()));
      return said.empty() ? said : said + "\n";
    };
    commands_["sync"] = [this](const Words& words) {
      const auto synced = fleet_.sync(words.at(0));
      if (!synced) return error_text(synced.error());
      return fmt::format("{} packages, {} revisions, {} written\n", synced->packages,
                         synced->revisions, synced->written);
    };
  }

  void add_drafts() {
    commands_["init"] = [this](const Words& words) {
      DraftRequest request;
      request.repository = words.at(0);
      request.package = words.at(1);
      request.workspace = words.at(2);
      request.source = InitSource{"sample", "", {}};
      return drafted(std::move(request));
    };
    commands_["clone"] = [this](const Words& words) {
      DraftRequest request;
      request.source = CloneSource{words.at(0)};
      request.repository = words.at(1);
      request.package = words.at(2);
      request.workspace = words.at(3);
      return drafted(std::move(request));
    };
    commands_["copy"] = [this](const Words& words) {
      DraftRequest request = sibling(words.at(0), words.at(1));
      request.source = CopySource{words.at(0)};
      request.only_if_changed = false;
      return drafted(std::move(request));
    };
    commands_["copy-to"] = [this](const Words& words) {
      DraftRequest request;
      request.source = CopySource{words.at(0)};
      request.repository = words.at(1);
      request.package = words.at(2);
      request.workspace = words.at(3);
      request.only_if_changed = false;
      return drafted(std::move(request));
    };
    commands_["upgrade"] = [this](const Words& words) {
      DraftRequest request = sibling(words.at(0), words.at(2));
      UpgradeSource source{"", words.at(1), words.at(0)};
      if (words[2] == "in-place") {
        request.draft = words[0];
        request.workspace = must(fleet_.revision(words[0]))["spec"]["workspaceName"].as_string();
      }
      for (std::size_t i = 3; i < words.size(); ++i) {
        const auto [key, value] = pair_of(words[i]);
        if (key == "strategy") request.strategy = value;
        if (key == "conflict")
          request.on_conflict = value == "keepLocal" ? merge::OnConflict::kLocal
                                : value == "fail"    ? merge::OnConflict::kFail
                                                     : merge::OnConflict::kUpstream;
        if (key == "old") source.old_upstream = value;
      }
      request.source = source;
      return drafted(std::move(request));
    };
    commands_["rebase"] = [this](const Words& words) {
      DraftRequest request = sibling(words.at(0), workspace_of(words[0]));
      request.draft = words[0];
      request.only_if_changed = false;
      request.source = RebaseSource{words.at(1)};
      if (words.size() > 2)
        request.on_conflict = must(merge::parse_on_conflict(pair_of(words[2]).second));
      return drafted(std::move(request));
    };
    commands_["origin"] = [this](const Words& words) {
      const bool in_place = words.at(2) == "in-place";
      DraftRequest request = sibling(words.at(0), in_place ? workspace_of(words[0]) : words.at(2));
      if (in_place) request.draft = words[0];
      request.source = OriginSource{words[0], words.at(1)};
      return drafted(std::move(request));
    };
    commands_["push"] = [this](const Words& words) {
      DraftRequest request = sibling(words.at(0), "");
      request.workspace = must(fleet_.revision(words[0]))["spec"]["workspaceName"].as_string();
      request.draft = words[0];
      ReplaceSource source{*fleet_.content(words[0])};
      for (std::size_t i = 1; i < words.size(); ++i) {
        const auto [path, from] = pair_of(words[i]);
        if (path == "version")
          request.resource_version = from;
        else if (from.empty())
          source.content.files.erase(path);
        else
          source.content.set(path, section(from));
      }
      request.source = std::move(source);
      return drafted(std::move(request));
    };
  }

  void add_lifecycle() {
    const auto step = [this](Result<json::Value> (packages::PackageStore::*change)(
                          const krm::ObjectKey&, const packages::Actor&)) {
      return [this, change](const Words& words) {
        const auto object = (fleet_.packages.get()->*change)(
            packages::revision_key(Fleet::kNs, words.at(0)), {"Grace", "grace@example.com"});
        return object ? revision_line(*object) + "\n" : error_text(object.error());
      };
    };
    commands_["propose"] = step(&packages::PackageStore::propose);
    commands_["approve"] = step(&packages::PackageStore::approve);
    commands_["reject"] = step(&packages::PackageStore::reject);
    commands_["propose-delete"] = step(&packages::PackageStore::propose_deletion);
    commands_["delete"] = [this](const Words& words) {
      const auto done = fleet_.packages->remove(packages::revision_key(Fleet::kNs, words.at(0)),
                                                {"Grace", "grace@example.com"});
      return done ? std::string("gone\n") : error_text(done.error());
    };
  }

  void add_looks() {
    commands_["list"] = [this](const Words&) {
      std::string out;
      for (const json::Value& each : fleet_.all(kRevisionType)) out += revision_line(each) + "\n";
      return out;
    };
    commands_["cat"] = [this](const Words& words) {
      const auto package = fleet_.content(words.at(0));
      const krm::File* file = package->find(words.at(1));
      return file != nullptr ? file->text() : std::string("no such file\n");
    };
    commands_["files"] = [this](const Words& words) {
      std::string out;
      const auto package = fleet_.content(words.at(0));
      for (const auto& [path, file] : package->files)
        out += path +
               (file.mode == krm::FileMode::kExecutable ? "*"
                : file.mode == krm::FileMode::kSymlink  ? "@"
                                                        : "") +
               "\n";
      return out;
    };
    commands_["diff"] = [this](const Words& words) {
      return krm::diff_packages(*fleet_.content(words.at(0)), *fleet_.content(words.at(1)));
    };
    commands_["same"] = [this](const Words& words) {
      krm::Package a = *fleet_.content(words.at(0)), b = *fleet_.content(words.at(1));
      for (std::size_t i = 2; i < words.size(); ++i)
        a.files.erase(words[i]), b.files.erase(words[i]);
      std::string out;
      for (const auto& [path, file] : a.files)
        if (b.find(path) == nullptr || *b.find(path) != file) out += "differs: " + path + "\n";
      for (const auto& [path, file] : b.files)
        if (a.find(path) == nullptr) out += "more: " + path + "\n";
      return out.empty() ? "same\n" : out;
    };
    commands_["history"] = [this](const Words& words) {
      std::string out;
      for (const packages::Change& each :
           must(fleet_.packages->history(must(fleet_.revision(words.at(0))), 100)))
        out += each.author + ": " + each.subject + (each.pristine ? " (pristine)" : "") + "\n";
      return out;
    };
    commands_["show"] = [this](const Words& words) {
      json::Value value = must(fleet_.revision(words.at(0)));
      std::istringstream path(words.at(1));
      for (std::string name; std::getline(path, name, '.');) value = value[name];
      return json::print(value) + "\n";
    };
    commands_["refs"] = [this](const Words& words) {
      return portico::testing::git(fleet_.bare(words.at(0)),
                                   {"for-each-ref", "--format=%(refname)"}) +
             "\n";
    };
    commands_["label"] = [this](const Words& words) {
      const auto [key, value] = pair_of(words.at(1));
      const json::Value changed =
          must(fleet_.revision(words.at(0))).with_at({"metadata", "labels", key}, value);
      must(fleet_.registry->commit({{registry::Verb::kUpdate, changed}}));
      return std::string();
    };
    commands_["lineage"] = [this](const Words& words) {
      const json::Value object = must(fleet_.revision(words.at(0)));
      const auto shown = [](const Result<json::Value>& found) {
        if (!found) return error_text(found.error());
        return (found->is_null() ? "none" : std::string(krm::name_of(*found))) + "\n";
      };
      const registry::Registry& registry = *fleet_.registry;
      return "upstream " + shown(packages::upstream_of(registry, object)) + "newer " +
             shown(packages::newer_upstream(registry, object, 0)) + "predecessor " +
             shown(packages::predecessor(registry, object)) + "set " +
             packages::set_of(registry, object) + "\n";
    };
  }

  std::string transcript_;
};

}  // namespace portico::drafts
