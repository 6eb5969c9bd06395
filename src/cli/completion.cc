#include "cli/completion.h"

#include <algorithm>
#include <array>
#include <utility>

#include "api/kinds.h"
#include "cli/described_kinds.h"
#include "engine/engine.h"
#include "engine/remote_engine.h"
#include "kinds/explain.h"
#include "resources/resources.h"

namespace portico::cli {

namespace {

constexpr std::array<std::string_view, 10> kOfTypes{
    "get", "describe", "delete", "edit", "patch", "label", "annotate", "wait", "suspend", "resume"};

bool is_one_of(std::string_view word, std::span<const std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> out(1);
  for (const char c : text)
    if (c == at)
      out.emplace_back();
    else
      out.back() += c;
  return out;
}

// The alternatives of a check like {json,merge,strategic}.
std::vector<std::string> allowed(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t open = type.find('{'), close = type.rfind('}');
  if (open == std::string::npos || close == std::string::npos || close < open) return {};
  return split(type.substr(open + 1, close - open - 1), ',');
}

class Completer {
 public:
  explicit Completer(const CLI::App& root) : root_(root), app_(&root) {}

  Completion run(const std::vector<std::string>& words) {
    out_.begun = words.empty() ? "" : words.back();
    const CLI::Option* open = nullptr;  // an option that needs a value
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
      const std::string& word = words[i];
      if (open != nullptr) {
        note(*open, word);
        open = nullptr;
      } else if (word.starts_with("-") && word != "-") {
        open = option_that_waits(word);
      } else if (const CLI::App* inner = positionals_.empty() ? subcommand(word) : nullptr) {
        app_ = inner;
        path_ += (path_.empty() ? "" : " ") + inner->get_name();
      } else {
        positionals_.push_back(word);
      }
    }
    if (open != nullptr)
      values_of(*open);
    else if (out_.begun.starts_with("-"))
      options();
    else
      words_here();
    return std::move(out_);
  }

 private:
  const CLI::Option* find_option(const std::string& word) const {
    for (const CLI::App* at : {app_, &root_})
      for (const CLI::Option* option : at->get_options())
        if (!option->get_positional() && option->check_name(word)) return option;
    return nullptr;
  }
  const CLI::Option* option_that_waits(const std::string& word) {
    const std::size_t equals = word.find('=');
    const CLI::Option* option = find_option(word.substr(0, equals));
    if (option == nullptr || option->get_items_expected_max() == 0) return nullptr;
    if (equals == std::string::npos) return option;
    note(*option, word.substr(equals + 1));
    return nullptr;
  }
  void note(const CLI::Option& option, const std::string& value) {
    engine::Globals& globals = out_.globals;
    if (option.check_lname("namespace")) {
      globals.ns = value;
      globals.ns_said = true;
    }
    for (const auto& [name, member] :
         {std::pair("state", &globals.state), std::pair("server", &globals.server),
          std::pair("kubeconfig", &globals.kubeconfig), std::pair("context", &globals.context),
          std::pair("as", &globals.as)})
      if (option.check_lname(name)) *member = value;
    if (option.check_lname("as-group")) globals.as_groups.push_back(value);
  }

  const CLI::App* subcommand(const std::string& word) const {
    for (const CLI::App* each : app_->get_subcommands({}))
      if (each->check_name(word)) return each;
    return nullptr;
  }

  void add(std::string word, std::string about = "") {
    out_.candidates.push_back({std::move(word), std::move(about)});
  }

  void options() {
    for (const CLI::App* at : {app_, &root_}) {
      for (const CLI::Option* option : at->get_options())
        for (const std::string& name : option->get_lnames())
          add("--" + name, option->get_description());
      if (at == &root_) break;
    }
  }

  void values_of(const CLI::Option& option) {
    const auto is = [&](const char* name) { return option.check_lname(name); };
    for (std::string& word : allowed(option)) add(std::move(word));
    if (is("set")) out_.kinds = {api::variant_set_kind()};
    if (is("repository")) out_.kinds = {api::repository_kind()};
    if (is("lifecycle"))
      for (const char* word : {"Draft", "Proposed", "Published", "DeletionProposed"}) add(word);
    const bool prints = is("output") && (path_.starts_with("get") || path_.starts_with("r"));
    if (prints)
      for (const char* word :
           {"wide", "yaml", "json", "name", "jsonpath=", "go-template=", "custom-columns="})
        add(word);
    if (is("for") && path_ == "wait")
      for (const char* word : {"condition=Ready", "create", "delete", "jsonpath="}) add(word);
    out_.files = is("filename") || is("kustomize") || is("patch-file") || is("state");
  }

  void types() {
    const bool pair = out_.begun.find('/') != std::string::npos;
    if (pair) {
      const std::string type = out_.begun.substr(0, out_.begun.find('/'));
      if (const auto kind = resources::find_kind(type, {})) {
        out_.kinds = {*kind};
        out_.before = type + "/";
      }
      return;
    }
    for (const resources::Resource& each : resources::all())
      if (each.stored) add(each.plural);
  }

  void fields() {
    const std::vector<std::string> path = split(out_.begun, '.');
    const auto kind = resources::find_kind(path[0], {});
    if (path.size() < 2 || !kind) {
      for (const resources::Resource& each : resources::all())
        if (each.stored) add(each.singular + ".");
      out_.kinds = {api::variant_kind()};
      return;
    }
    const json::Value schema = described_kind(*kind).schema;
    std::string before;
    for (std::size_t i = 0; i + 1 < path.size(); ++i) before += path[i] + ".";
    for (const std::string& name : kinds::fields_below(schema, {path.begin() + 1, path.end() - 1}))
      add(before + name);
  }

  void words_here() {
    const auto subcommands = app_->get_subcommands({});
    if (positionals_.empty() && !subcommands.empty()) {
      for (const CLI::App* each : subcommands) add(each->get_name(), each->get_description());
      return;
    }
    if (is_one_of(path_, kOfTypes)) {
      const auto kind = positionals_.empty() ? Result<krm::GroupKind>(invalid("no type"))
                                             : resources::find_kind(positionals_.front(), {});
      if (kind)
        out_.kinds = {*kind};
      else
        types();
    } else if (path_ == "explain") {
      fields();
    } else if (path_ == "tree") {
      out_.kinds = {api::variant_set_kind(), api::variant_kind()};
    } else if (path_ == "history" || path_ == "rpkg rollback") {
      out_.kinds = {api::variant_kind(), api::revision_kind()};
    } else if (path_ == "repo sync" || path_ == "repo unregister" || path_ == "repo list") {
      out_.kinds = {api::repository_kind()};
    } else if (path_.starts_with("rpkg ") && path_ != "rpkg init") {
      const bool folder = (path_ == "rpkg pull" || path_ == "rpkg push") && !positionals_.empty();
      if (!folder) out_.kinds = {api::revision_kind()};
      out_.files = folder;
    } else if (path_ == "completion") {
      for (const char* shell : {"bash", "zsh", "fish"}) add(shell);
    } else {
      out_.files = true;
    }
  }

  const CLI::App& root_;
  const CLI::App* app_;
  std::string path_;  // "rpkg diff"
  std::vector<std::string> positionals_;
  Completion out_;
};

// The first sentence, or as much of it as fits on a line.
std::string short_text(const std::string& about) {
  constexpr std::size_t kMost = 60;
  std::string out = about.substr(0, about.find_first_of(";\n"));
  if (out.size() > kMost) out = out.substr(0, out.rfind(' ', kMost)) + "...";
  return out;
}

}  // namespace

Completion complete(const CLI::App& root, const std::vector<std::string>& words) {
  return Completer(root).run(words);
}

Result<Exit> run_complete(const Completion& completion, Context& context) {
  constexpr int kPatience = 5;  // seconds: the user is waiting
  context.globals = completion.globals;
  context.globals.ns = engine::namespace_of(context.globals);
  context.deadline = engine::Deadline(kPatience);
  const auto offer = [&](const std::string& word, const std::string& about) {
    if (word.starts_with(completion.begun)) context.terminal.print("{}\t{}\n", word, about);
  };
  for (const Candidate& each : completion.candidates) offer(each.word, short_text(each.about));
  if (!completion.kinds.empty()) {
    const auto engine = engine::Engine::read(context);
    for (const krm::GroupKind& kind : completion.kinds) {
      if (!engine) break;
      const auto all = (*engine)->registry().list({.type = kind, .ns = context.globals.ns});
      if (!all) continue;
      for (const json::Value& object : all->objects)
        offer(completion.before + std::string(krm::name_of(object)), "");
    }
  }
  if (completion.files) context.terminal.print(":file\n");
  return 0;
}

}  // namespace portico::cli
