#include "cli/live_view.h"

#include <algorithm>

#include "api/kinds.h"
#include "cli/revisions.h"
#include "krm/lifecycle.h"
#include "resources/state.h"

namespace portico::cli {

using json::Value;

namespace {

std::string owner_of(const Value& object, std::string_view kind) {
  for (const krm::OwnerReference& owner : krm::owners_of(object))
    if (owner.kind == kind) return owner.uid;
  return "";
}

bool is_open(const Value& revision) {
  const auto lifecycle = krm::parse_lifecycle(revision["spec"]["lifecycle"].as_string());
  return lifecycle && !krm::is_published(*lifecycle);
}

void move_owned(std::map<std::string, std::set<krm::ObjectKey>>& index, const std::string& from,
                const std::string& to, const krm::ObjectKey& key) {
  if (from == to) return;
  if (const auto at = index.find(from); at != index.end()) at->second.erase(key);
  if (!to.empty()) index[to].insert(key);
}

}  // namespace

void LiveView::put(const Value& object) {
  const krm::ObjectKey key = krm::object_key(object);
  const bool variant = key.type == api::variant_kind(), revision = key.type == api::revision_kind();
  if (key.type == api::variant_set_kind()) sets_.insert_or_assign(key, object);
  if (!variant && !revision) return;
  auto& all = variant ? variants_ : revisions_;
  const std::string_view kind = variant ? api::kVariantSetKind : api::kVariantKind;
  const auto before = all.find(key);
  move_owned(variant ? variants_of_ : revisions_of_,
             before == all.end() ? std::string() : owner_of(before->second, kind),
             owner_of(object, kind), key);
  all.insert_or_assign(key, object);
}

void LiveView::remove(const Value& object) {
  const krm::ObjectKey key = krm::object_key(object);
  sets_.erase(key);
  if (variants_.erase(key) > 0)
    move_owned(variants_of_, owner_of(object, api::kVariantSetKind), "", key);
  if (revisions_.erase(key) > 0)
    move_owned(revisions_of_, owner_of(object, api::kVariantKind), "", key);
}

std::vector<LiveView::Line> LiveView::lines(Filter filter) const {
  std::vector<Line> out;
  const auto add = [&](const Value& variant) {
    Line line{variant, {}};
    if (const auto own = revisions_of_.find(std::string(krm::uid_of(variant)));
        own != revisions_of_.end()) {
      std::vector<Value> owned;
      for (const krm::ObjectKey& key : own->second) owned.push_back(revisions_.at(key));
      line.revision = newest_of(owned);
    }
    if (filter == Filter::kFailing && resources::health_of(variant) != api::Health::kFailing)
      return;
    if (filter == Filter::kOpen && !is_open(line.revision)) return;
    out.push_back(std::move(line));
  };
  for (const auto& [key, set] : sets_) {
    out.push_back({set, {}});
    const std::size_t before = out.size();
    if (const auto own = variants_of_.find(std::string(krm::uid_of(set)));
        own != variants_of_.end())
      for (const krm::ObjectKey& one : own->second) add(variants_.at(one));
    const bool fails = resources::health_of(set) == api::Health::kFailing;
    if (out.size() == before && filter != Filter::kAll && !(filter == Filter::kFailing && fails))
      out.pop_back();
  }
  for (const auto& [key, variant] : variants_)
    if (owner_of(variant, api::kVariantSetKind).empty()) add(variant);
  return out;
}

LiveView::Counts LiveView::counts() const {
  Counts out;
  out.sets = sets_.size();
  out.variants = variants_.size();
  for (const auto& [key, variant] : variants_) {
    const api::Health health = resources::health_of(variant);
    ++(health == api::Health::kHealthy   ? out.settled
       : health == api::Health::kWaiting ? out.waiting
                                         : out.failing);
  }
  for (const auto& [key, revision] : revisions_) {
    const std::string_view lifecycle = revision["spec"]["lifecycle"].as_string();
    out.drafts += lifecycle == "Draft" ? 1 : 0;
    out.proposed += lifecycle == "Proposed" ? 1 : 0;
  }
  return out;
}

std::string LiveView::text_of(const Line& line) {
  const Value& spec = line.object["spec"];
  if (krm::group_kind(line.object) == api::variant_set_kind())
    return fmt::format("{}  {}/{}  {}", krm::name_of(line.object),
                       spec["upstream"]["repo"].as_string(),
                       spec["upstream"]["package"].as_string(), resources::state_of(line.object));
  std::string revision = "no revision yet";
  if (!line.revision.is_null()) {
    const Value& of = line.revision["spec"];
    const std::int64_t number = of["revision"].as_int();
    revision = fmt::format(
        "{} {}",
        number > 0 ? fmt::format("v{}", number) : std::string(of["workspaceName"].as_string()),
        of["lifecycle"].as_string());
  }
  return fmt::format("  {:<32} {:<28} {:<26} {}", krm::name_of(line.object),
                     fmt::format("{}/{}", spec["downstream"]["repo"].as_string(),
                                 spec["downstream"]["package"].as_string()),
                     revision, resources::state_of(line.object));
}

Colour LiveView::colour_of(const Line& line) {
  const api::Health health = resources::health_of(line.object);
  if (health == api::Health::kFailing) return Colour::kRed;
  if (krm::group_kind(line.object) == api::variant_set_kind()) return Colour::kBold;
  return health == api::Health::kWaiting || is_open(line.revision) ? Colour::kYellow
                                                                   : Colour::kPlain;
}

}  // namespace portico::cli
