#include "packages/package_revs.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "api/kinds.h"
#include "registry/forwarding_registry.h"
#include "registry/no_object.h"

namespace portico::packages {

using json::Value;
using registry::Change;
using registry::Event;
using registry::Listing;
using registry::Query;
using registry::Verb;
using registry::Write;

namespace {

constexpr const char* kField = "packageRevision";
constexpr int kMostTries = 10;  // for a write without a resourceVersion

// Prefix of the labels and finalizers that Porch reserves for itself.
constexpr std::string_view kPorchsOwn = "internal.porch.kpt.dev/";

bool is_porchs_own(std::string_view word) { return word.starts_with(kPorchsOwn); }

// The labels or annotations of both, without Porch's marks.
Value both_maps(const Value& left, const Value& wanted, const char* map) {
  std::map<std::string, std::string> out = krm::string_map(left["metadata"][map]);
  std::erase_if(out, [](const auto& entry) { return is_porchs_own(entry.first); });
  for (auto& [key, value] : krm::string_map(wanted["metadata"][map])) out[key] = value;
  return krm::to_value(out);
}

bool is_revision(const Value& object) {
  return krm::object_key(object).type == api::revision_kind();
}

bool is_package_rev(const Value& object) {
  return krm::object_key(object).type == package_rev_kind();
}

krm::ObjectKey kept_key(krm::ObjectKey key) {
  if (key.type == api::revision_kind()) key.type = package_rev_kind();
  return key;
}

Query kept_query(Query query) {
  if (query.type == api::revision_kind()) query.type = package_rev_kind();
  return query;
}

// An object as callers see it; null if it is hidden.
Value seen(const Value& object) {
  return is_package_rev(object) ? revision_kept_in(object) : object;
}

// Drops events of hidden objects; an object that becomes visible is reported as added.
std::optional<Event> seen(const Event& event) {
  if (!is_package_rev(event.object)) return event;
  Event out = event;
  out.object = revision_kept_in(event.object);
  out.previous = event.previous.is_null() ? Value() : revision_kept_in(event.previous);
  if (out.object.is_null()) {
    if (event.change == Change::kAdded || out.previous.is_null()) return std::nullopt;
    out.change = Change::kDeleted;
    out.object = out.previous;
    return out;
  }
  if (event.change == Change::kModified && out.previous.is_null()) out.change = Change::kAdded;
  return out;
}

class SeenWatch : public registry::Watch {
 public:
  explicit SeenWatch(std::unique_ptr<registry::Watch> below) : below_(std::move(below)) {}

  Result<std::vector<Event>> next(std::chrono::milliseconds wait) override {
    for (;; wait = std::chrono::milliseconds(0)) {
      PORTICO_TRY(const std::vector<Event> told, below_->next(wait));
      if (told.empty()) return std::vector<Event>();
      std::vector<Event> out;
      for (const Event& each : told)
        if (auto one = seen(each)) out.push_back(*std::move(one));
      if (!out.empty()) return out;
    }
  }
  registry::ResourceVersion version() const override { return below_->version(); }
  void stop() override { below_->stop(); }

 private:
  const std::unique_ptr<registry::Watch> below_;
};

// A registry together with the one that it wraps.
class Owning : public registry::ForwardingRegistry {
 public:
  Owning(std::unique_ptr<registry::Registry> below, std::unique_ptr<registry::Registry> over)
      : ForwardingRegistry(*over), below_(std::move(below)), over_(std::move(over)) {}

 private:
  const std::unique_ptr<registry::Registry> below_, over_;
};

class OverPackageRevs : public registry::ForwardingRegistry {
 public:
  OverPackageRevs(registry::Registry& below, std::vector<registry::IndexedField> indexes)
      : ForwardingRegistry(below), below_(below), indexes_(std::move(indexes)) {}

  Result<Value> get(const krm::ObjectKey& key) const override {
    if (key.type != api::revision_kind()) return below_.get(key);
    PORTICO_TRY(const Value kept, kept_of(key));
    return revision_kept_in(kept);
  }

  Result<Listing> list(const Query& query) const override {
    PORTICO_TRY(Listing out, below_.list(kept_query(query)));
    for (Value& each : out.objects) each = seen(each);
    std::erase_if(out.objects, [](const Value& each) { return each.is_null(); });
    return out;
  }

  const std::vector<registry::IndexedField>& fields() const override { return indexes_; }

  std::vector<krm::GroupKind> kinds() const override {
    std::vector<krm::GroupKind> out = below_.kinds();
    std::replace(out.begin(), out.end(), package_rev_kind(), api::revision_kind());
    std::sort(out.begin(), out.end());
    return out;
  }

  Result<std::vector<Value>> commit(const std::vector<Write>& writes) override {
    std::vector<Value> out;
    out.reserve(writes.size());
    for (std::size_t i = 0; i < writes.size(); ++i) {
      if (i + 1 < writes.size() && are_one(writes[i], writes[i + 1])) {
        PORTICO_TRY(Value both, write_one(both_of(writes[i], writes[i + 1]), false));
        out.push_back(both);
        out.push_back(std::move(both));
        ++i;
        continue;
      }
      PORTICO_TRY(Value written, write_one(writes[i], false));
      out.push_back(std::move(written));
    }
    return out;
  }

  Result<std::vector<Value>> dry_run(const std::vector<Write>& writes) const override {
    std::vector<Value> out;
    out.reserve(writes.size());
    for (const Write& write : writes) {
      PORTICO_TRY(Value written, write_one(write, true));
      out.push_back(std::move(written));
    }
    return out;
  }

  std::vector<Result<Value>> commit_each(const std::vector<Write>& writes) override {
    std::vector<Result<Value>> out;
    out.reserve(writes.size());
    for (const Write& write : writes) out.push_back(write_one(write, false));
    return out;
  }

  using Registry::watch;
  std::unique_ptr<registry::Watch> watch(const Query& query, registry::ResourceVersion from,
                                         registry::OnReady on_ready) override {
    return std::make_unique<SeenWatch>(below_.watch(kept_query(query), from, std::move(on_ready)));
  }

  Result<std::unique_ptr<registry::Registry>> fork() const override {
    PORTICO_TRY(auto below, below_.fork());
    auto over = std::make_unique<OverPackageRevs>(*below, indexes_);
    return std::unique_ptr<registry::Registry>(
        std::make_unique<Owning>(std::move(below), std::move(over)));
  }

 private:
  // The PackageRev of a visible revision.
  Result<Value> kept_of(const krm::ObjectKey& key) const {
    auto kept = below_.get(kept_key(key));
    if (kept && revision_kept_in(*kept).is_null()) return registry::no_object(key);
    if (!kept && kept.error().code == Code::kNotFound) return registry::no_object(key);
    return kept;
  }

  // Whether two writes, of everything but the status and of the status, can become one.
  static bool are_one(const Write& first, const Write& second) {
    return first.verb == Verb::kUpdate && second.verb == Verb::kUpdateStatus &&
           is_revision(first.object) &&
           krm::object_key(first.object) == krm::object_key(second.object) &&
           second.object["metadata"]["resourceVersion"].as_string().empty();
  }
  static Write both_of(const Write& first, const Write& second) {
    Write out = first;
    out.verb = Verb::kUpdateAll;
    out.object = first.object.with("status", second.object["status"]);
    return out;
  }

  Result<Value> one(const Write& write, bool dry) const {
    PORTICO_TRY(auto done, dry ? below_.dry_run({write}) : below_.commit({write}));
    return std::move(done.front());
  }

  Result<Value> write_one(const Write& write, bool dry) const {
    if (!is_revision(write.object)) return one(write, dry);
    Write kept = write;
    switch (write.verb) {
      case Verb::kDelete: {
        kept.object = write.object.with("apiVersion", api::kConfigV1Alpha1)
                          .with("kind", package_rev_kind().kind)
                          .without("spec")
                          .without("status");
        PORTICO_TRY(const Value last, one(kept, dry));
        return revision_kept_in(last);
      }
      case Verb::kCreate:
        return create(kept, dry);
      default:
        return update(write, dry);
    }
  }

  Result<Value> create(Write kept, bool dry) const {
    const Value wanted = kept_as_package_rev(kept.object);
    kept.object = wanted;
    auto made = one(kept, dry);
    if (!made && made.error().reason == Reason::kAlreadyExists)
      return complete(std::move(kept), made.error(), dry);
    if (!made) return made;
    if (Value whole = revision_kept_in(*made); !whole.is_null()) return whole;
    kept.object = made->with("status", wanted["status"]);
    return write_whole(std::move(kept), dry);
  }

  // A PackageRev without a revision is incomplete: its creator died between the two writes, or the
  // definition did not preserve the status.
  Result<Value> complete(Write kept, const Error& refused, bool dry) const {
    const auto there = below_.get(krm::object_key(kept.object));
    if (!there || !revision_kept_in(*there).is_null() || krm::is_deleting(*there)) return refused;
    if (left_by_porch(*there)) kept.object = taken_over(*there, kept.object);
    for (const char* field : {"resourceVersion", "uid"})
      kept.object = kept.object.with_at({"metadata", field}, (*there)["metadata"][field]);
    return write_whole(std::move(kept), dry);
  }

  Result<Value> write_whole(Write kept, bool dry) const {
    if (dry) return revision_kept_in(kept.object);
    kept.verb = Verb::kUpdateAll;
    auto written = one(kept, false);
    // kForbidden: Portico's role lacks the status subresource, which Portico's definition does not
    // have.
    const bool forbidden = !written && written.error().reason == Reason::kForbidden;
    if (!written && !forbidden) return written;
    Value whole = forbidden ? Value() : revision_kept_in(*written);
    if (whole.is_null())
      return invalid(
          "the cluster's CustomResourceDefinition of PackageRevs does not preserve "
          "status.packageRevision; apply Portico's: portico install --kubernetes --without-porch");
    return whole;
  }

  // What the write leaves out stays as stored.
  static Value merged(const Write& write, const Value& stored) {
    if (write.verb == Verb::kUpdate) return write.object.with("status", stored["status"]);
    if (write.verb == Verb::kUpdateStatus) return stored.with("status", write.object["status"]);
    return write.object;
  }

  Result<Value> update(const Write& write, bool dry) const {
    const krm::ObjectKey key = krm::object_key(write.object);
    const std::string said(write.object["metadata"]["resourceVersion"].as_string());
    for (int attempt = 1;; ++attempt) {
      PORTICO_TRY(const Value kept, kept_of(key));
      const std::string_view now = kept["metadata"]["resourceVersion"].as_string();
      const Value stored = revision_kept_in(kept);
      Write next = write;
      next.verb = Verb::kUpdateAll;
      next.object = merged(write, stored)
                        .with_at({"metadata", "resourceVersion"},
                                 said.empty() ? now : std::string_view(said));
      if (next.object == stored) return stored;
      next.object = kept_as_package_rev(next.object);
      auto done = one(next, dry);
      if (done) return revision_kept_in(*done);
      const bool moved =
          done.error().code == Code::kConflict && done.error().reason == Reason::kByCode;
      if (!moved || !said.empty() || attempt == kMostTries) return std::move(done).error();
    }
  }

  registry::Registry& below_;
  const std::vector<registry::IndexedField> indexes_;
};

}  // namespace

const krm::GroupKind& package_rev_kind() {
  static const krm::GroupKind kKind{std::string(api::kConfigGroup), "PackageRev"};
  return kKind;
}

Value kept_as_package_rev(const Value& revision) {
  Value inner = Value::object({{"spec", revision["spec"]}});
  if (const Value* status = revision.find("status")) inner = inner.with("status", *status);
  return Value::object({{"apiVersion", api::kConfigV1Alpha1},
                        {"kind", package_rev_kind().kind},
                        {"metadata", revision["metadata"]},
                        {"spec", Value::object()},
                        {"status", Value::object({{kField, std::move(inner)}})}});
}

Value revision_kept_in(const Value& package_rev) {
  const Value& kept = package_rev["status"][kField];
  if (!kept.is_object()) return {};
  Value out = Value::object({{"apiVersion", api::kPorchV1Alpha1},
                             {"kind", api::revision_kind().kind},
                             {"metadata", package_rev["metadata"]},
                             {"spec", kept["spec"]}});
  if (const Value* status = kept.find("status")) out = out.with("status", *status);
  return out;
}

bool left_by_porch(const Value& package_rev) {
  if (!revision_kept_in(package_rev).is_null()) return false;
  const std::vector<std::string> finalizers = krm::finalizers_of(package_rev);
  return !krm::label_of(package_rev, kPorchRepositoryLabel).empty() ||
         std::any_of(finalizers.begin(), finalizers.end(), is_porchs_own);
}

Value taken_over(const Value& left, const Value& wanted) {
  Value out = wanted;
  for (const char* map : {"labels", "annotations"}) {
    const Value both = both_maps(left, wanted, map);
    out = both.empty() ? out.without_at({"metadata", map}) : out.with_at({"metadata", map}, both);
  }
  std::vector<krm::OwnerReference> owners = krm::owners_of(left);
  std::erase_if(owners, [](const krm::OwnerReference& owner) {
    return owner.kind == api::kRepositoryKind &&
           krm::group_version(owner.api_version).group == api::kConfigGroup;
  });
  for (const krm::OwnerReference& owner : krm::owners_of(wanted))
    if (std::none_of(owners.begin(), owners.end(),
                     [&](const krm::OwnerReference& each) { return each.uid == owner.uid; }))
      owners.push_back(owner);
  if (!owners.empty()) out = krm::with_owners(out, owners);
  std::vector<std::string> finalizers = krm::finalizers_of(left);
  std::erase_if(finalizers, is_porchs_own);
  for (const std::string& each : krm::finalizers_of(wanted))
    if (std::find(finalizers.begin(), finalizers.end(), each) == finalizers.end())
      finalizers.push_back(each);
  return finalizers.empty() ? out : krm::with_finalizers(out, finalizers);
}

std::vector<registry::IndexedField> over_package_revs(std::vector<registry::IndexedField> indexes) {
  for (registry::IndexedField& index : indexes) {
    if (index.type != api::revision_kind()) continue;
    index.type = package_rev_kind();
    for (std::vector<std::string>& path : index.paths) {
      const bool content = !path.empty() && (path[0] == "spec" || path[0] == "status");
      if (content) path.insert(path.begin(), {"status", kField});
    }
  }
  return indexes;
}

std::unique_ptr<registry::Registry> revisions_over_package_revs(
    registry::Registry& below, std::vector<registry::IndexedField> indexes) {
  return std::make_unique<OverPackageRevs>(below, std::move(indexes));
}

}  // namespace portico::packages
