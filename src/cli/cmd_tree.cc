#include <algorithm>
#include <map>

#include "api/kinds.h"
#include "cli/colours.h"
#include "cli/commands.h"
#include "cli/revisions.h"
#include "engine/engine.h"
#include "json/text.h"
#include "krm/lifecycle.h"
#include "resources/resources.h"
#include "resources/state.h"

namespace portico::cli {

using json::Value;

namespace {

std::string painted_state(const Terminal& out, const Value& object) {
  return out.paint(colour_of(resources::health_of(object)), resources::state_of(object));
}

std::string owner_uid(const Value& object, std::string_view kind) {
  for (const krm::OwnerReference& owner : krm::owners_of(object))
    if (owner.kind == kind) return owner.uid;
  return "";
}

std::string revision_line(const Terminal& out, const Value& revision, const std::string& stale) {
  const std::string lifecycle(revision["spec"]["lifecycle"].as_string());
  const std::int64_t number = revision["spec"]["revision"].as_int();
  std::string line = std::string(revision["spec"]["workspaceName"].as_string());
  if (number > 0) line += fmt::format(" v{}", number);
  line += " " + out.paint(colour_of(krm::parse_lifecycle(lifecycle)), lifecycle);
  if (revision["metadata"]["labels"].contains(api::kLatestRevisionLabel)) line += " latest";
  if (!stale.empty()) line += " " + out.paint(Colour::kYellow, stale);
  return line;
}

using Children = std::map<std::string, std::vector<const Value*>>;  // by owner's uid

Result<Done> print_variant(const registry::Registry& registry, Terminal& out, const Value& variant,
                           const Children& revisions, const std::string& indent, bool last) {
  const Value& downstream = variant["spec"]["downstream"];
  out.print("{}{} {} -> {}/{} {}\n", indent, last ? "└─" : "├─", krm::name_of(variant),
            downstream["repo"].as_string(), downstream["package"].as_string(),
            painted_state(out, variant));
  const std::string below = indent + (last ? "   " : "│  ");
  std::vector<Value> owned;
  const auto own = revisions.find(std::string(krm::uid_of(variant)));
  if (own != revisions.end())
    for (const Value* each : own->second) owned.push_back(*each);
  for (const std::string& note : notes_of(variant, newest_of(owned)))
    out.print("{}{} {}\n", below, owned.empty() ? " " : "│", out.paint(Colour::kYellow, note));
  for (std::size_t i = 0; i < owned.size(); ++i) {
    std::string stale;
    if (owned[i]["status"]["base"].is_object()) {
      PORTICO_TRY(const auto siblings, siblings_of(registry, owned[i]));
      stale = stale_note(owned[i], siblings);
    }
    out.print("{}{} {}\n", below, i + 1 == owned.size() ? "└─" : "├─",
              revision_line(out, owned[i], stale));
  }
  return Done{};
}

Value revision_json(const Value& revision) {
  const Value& spec = revision["spec"];
  return Value::object(
      {{"name", krm::name_of(revision)},
       {"workspace", spec["workspaceName"]},
       {"revision", spec["revision"].as_int()},
       {"lifecycle", spec["lifecycle"]},
       {"latest", revision["metadata"]["labels"].contains(api::kLatestRevisionLabel)}});
}

Value variant_json(const Value& variant, const Children& revisions) {
  std::vector<Value> owned;
  if (const auto own = revisions.find(std::string(krm::uid_of(variant))); own != revisions.end())
    for (const Value* each : own->second) owned.push_back(revision_json(*each));
  const Value& downstream = variant["spec"]["downstream"];
  return Value::object({{"name", krm::name_of(variant)},
                        {"repository", downstream["repo"]},
                        {"package", downstream["package"]},
                        {"state", resources::state_of(variant)},
                        {"revisions", Value::array(std::move(owned))}});
}

Result<std::vector<Value>> all_of(registry::Registry& registry, const krm::GroupKind& kind,
                                  const std::string& ns) {
  PORTICO_TRY(registry::Listing all, registry.list({.type = kind, .ns = ns}));
  return std::move(all.objects);
}

// Each object is followed by the objects that it owns.
void print_names(const std::vector<const Value*>& tops, const Children& by_set,
                 const Children& by_variant, Terminal& out) {
  for (const Value* top : tops) {
    out.print("{}\n", resources::name_line(*top));
    for (const Children* children : {&by_set, &by_variant})
      if (const auto own = children->find(std::string(krm::uid_of(*top))); own != children->end())
        print_names(own->second, by_set, by_variant, out);
  }
}

}  // namespace

Result<Exit> run_tree(const TreeOptions& options, Context& context) {
  PORTICO_TRY(const auto engine, engine::Engine::read(context));
  registry::Registry& registry = engine->registry();
  const std::string& ns = context.globals.ns;
  PORTICO_TRY(const auto sets, all_of(registry, api::variant_set_kind(), ns));
  PORTICO_TRY(const auto variants, all_of(registry, api::variant_kind(), ns));
  PORTICO_TRY(const auto all, all_of(registry, api::revision_kind(), ns));

  Children by_set, by_variant;
  for (const Value& variant : variants)
    by_set[owner_uid(variant, api::kVariantSetKind)].push_back(&variant);
  for (const Value& revision : all)
    if (const std::string uid = owner_uid(revision, api::kVariantKind); !uid.empty())
      by_variant[uid].push_back(&revision);
  for (auto& [uid, revisions] : by_variant)
    std::stable_sort(revisions.begin(), revisions.end(), [](const Value* a, const Value* b) {
      const auto order = [](const Value& v) {
        const std::int64_t number = v["spec"]["revision"].as_int();
        return number > 0 ? number : std::int64_t{1} << 40;  // drafts come last
      };
      return order(*a) < order(*b);
    });

  Terminal& out = context.terminal;
  if (options.output == "json") {
    std::vector<Value> set_list, alone;
    for (const Value& set : sets) {
      if (!options.name.empty() && krm::name_of(set) != options.name) continue;
      std::vector<Value> own;
      for (const Value* variant : by_set[std::string(krm::uid_of(set))])
        own.push_back(variant_json(*variant, by_variant));
      const Value& upstream = set["spec"]["upstream"];
      set_list.push_back(Value::object({{"name", krm::name_of(set)},
                                        {"repository", upstream["repo"]},
                                        {"package", upstream["package"]},
                                        {"state", resources::state_of(set)},
                                        {"variants", Value::array(std::move(own))}}));
    }
    for (const Value& variant : variants)
      if (options.name.empty() ? owner_uid(variant, api::kVariantSetKind).empty()
                               : krm::name_of(variant) == options.name)
        alone.push_back(variant_json(variant, by_variant));
    if (!options.name.empty() && set_list.empty() && alone.empty())
      return not_found("no PackageVariantSet or PackageVariant \"{}\" in namespace \"{}\"",
                       options.name, ns);
    out.print("{}\n",
              json::print_pretty(Value::object({{"sets", Value::array(std::move(set_list))},
                                                {"variants", Value::array(std::move(alone))}})));
    return 0;
  }
  if (options.output == "name") {
    std::vector<const Value*> tops;
    for (const Value& set : sets)
      if (options.name.empty() || krm::name_of(set) == options.name) tops.push_back(&set);
    for (const Value& variant : variants)
      if (options.name.empty() ? owner_uid(variant, api::kVariantSetKind).empty()
                               : krm::name_of(variant) == options.name)
        tops.push_back(&variant);
    if (!options.name.empty() && tops.empty())
      return not_found("no PackageVariantSet or PackageVariant \"{}\" in namespace \"{}\"",
                       options.name, ns);
    print_names(tops, by_set, by_variant, out);
    return 0;
  }
  bool found = false;
  for (const Value& set : sets) {
    const bool asked = options.name.empty() || krm::name_of(set) == options.name;
    if (!asked) continue;
    found = true;
    const Value& upstream = set["spec"]["upstream"];
    out.print("{} ({}/{}) {}\n", out.paint(Colour::kBold, krm::name_of(set)),
              upstream["repo"].as_string(), upstream["package"].as_string(),
              painted_state(out, set));
    const auto& own = by_set[std::string(krm::uid_of(set))];
    for (std::size_t i = 0; i < own.size(); ++i)
      PORTICO_DO(print_variant(registry, out, *own[i], by_variant, "", i + 1 == own.size()));
  }
  for (const Value& variant : variants) {
    const bool alone = owner_uid(variant, api::kVariantSetKind).empty();
    if (options.name.empty() ? !alone : krm::name_of(variant) != options.name) continue;
    found = true;
    PORTICO_DO(print_variant(registry, out, variant, by_variant, "", true));
  }
  if (!found && !options.name.empty())
    return not_found("no PackageVariantSet or PackageVariant \"{}\" in namespace \"{}\"",
                     options.name, ns);
  if (!found) out.print("no package variants in namespace {}\n", ns);
  return 0;
}

}  // namespace portico::cli
