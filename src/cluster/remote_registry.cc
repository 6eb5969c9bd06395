#include "cluster/remote_registry.h"

#include <algorithm>
#include <utility>

#include "cluster/internal/remote_watch.h"
#include "cluster/internal/version.h"
#include "registry/no_object.h"
#include "registry/selector.h"
#include "registry/write_rules.h"
#include "store/embedded.h"

namespace portico::cluster {

using json::Value;
using registry::Listing;
using registry::Query;
using registry::Registry;
using registry::ResourceVersion;
using registry::Selector;
using registry::Verb;
using registry::Write;

namespace {

constexpr int kMostTries = 10;  // for an update without a resourceVersion

// Whether the error means that the server cannot list the kind, or the caller may not.
bool is_out_of_reach(const Error& error) {
  return error.reason == Reason::kForbidden || error.reason == Reason::kMethodNotAllowed ||
         error.code == Code::kNotFound;
}

std::string escaped(std::string_view value) {
  std::string out;
  for (const char c : value) {
    if (c == '\\' || c == ',' || c == '=') out += '\\';
    out += c;
  }
  return out;
}

std::string dotted(const std::vector<std::string>& path) {
  std::string out;
  for (const std::string& part : path) out += (out.empty() ? "" : ".") + part;
  return out;
}

const char* name_of(registry::Propagation propagation) {
  switch (propagation) {
    case registry::Propagation::kOrphan:
      return "Orphan";
    case registry::Propagation::kForeground:
      return "Foreground";
    case registry::Propagation::kBackground:
      break;
  }
  return "Background";
}

class RemoteRegistry : public Registry {
 public:
  RemoteRegistry(Api& api, RemoteOptions options) : api_(api), options_(std::move(options)) {}

  Result<Value> get(const krm::ObjectKey& key) const override {
    PORTICO_TRY(const Resource resource, api_.resource(key.type), key.text());
    auto found = api_.get(resource, key.ns, key.name);
    if (found || found.error().code != Code::kNotFound) return found;
    return registry::no_object(key);
  }

  Result<Listing> list(const Query& query) const override {
    PORTICO_TRY(const Selector selector, Selector::make(query, options_.indexes));
    if (!query.type.kind.empty()) {
      PORTICO_TRY(const Resource resource, api_.resource(query.type));
      return list_one(resource, query, selector);
    }
    PORTICO_TRY(const auto discovery, api_.discovery());
    Listing out;
    for (const Resource& each : discovery->all()) {
      if (!each.can("list")) continue;
      Query one = query;
      one.type = each.kind;
      one.limit = 0;
      auto part = list_one(each, one, selector);
      if (!part && is_out_of_reach(part.error())) continue;
      if (!part) return std::move(part).error();
      out.version = out.version == 0 ? part->version : std::min(out.version, part->version);
      std::move(part->objects.begin(), part->objects.end(), std::back_inserter(out.objects));
    }
    return out;
  }

  const std::vector<registry::IndexedField>& fields() const override { return options_.indexes; }

  std::vector<krm::GroupKind> kinds() const override {
    std::vector<krm::GroupKind> out;
    const auto discovery = api_.discovery();
    if (!discovery) return out;
    for (const Resource& each : (*discovery)->all())
      if (each.can("list")) out.push_back(each.kind);
    return out;
  }

  Result<std::vector<Value>> commit(const std::vector<Write>& writes) override {
    return write_all(writes, {});
  }

  Result<std::vector<Value>> dry_run(const std::vector<Write>& writes) const override {
    PORTICO_TRY(std::vector<Value> out, write_all(writes, {.dry_run = true}));
    for (std::size_t i = 0; i < out.size(); ++i)
      if (writes[i].verb == Verb::kCreate)
        out[i] = out[i].without_at({"metadata", "resourceVersion"});
    return out;
  }

  std::vector<Result<Value>> commit_each(const std::vector<Write>& writes) override {
    std::vector<Result<Value>> out;
    out.reserve(writes.size());
    for (const Write& write : writes) out.push_back(write_one(write, {}));
    return out;
  }

  std::unique_ptr<registry::Watch> watch(const Query& query, ResourceVersion from,
                                         registry::OnReady on_ready) override {
    auto selector = Selector::make(query, options_.indexes);
    std::vector<Watched> watched;
    std::optional<Error> refused;
    if (!selector) refused = selector.error();
    if (selector && !query.type.kind.empty()) {
      if (const auto resource = api_.resource(query.type))
        watched.push_back({*resource, selection(query, *selector)});
      else
        refused = resource.error();
    } else if (selector) {
      const auto discovery = api_.discovery();
      if (!discovery) refused = discovery.error();
      if (discovery) {
        for (const Resource& each : (*discovery)->all()) {
          if (!each.can("watch")) continue;
          Query one = query;
          one.type = each.kind;
          if (may_list(each, query.ns)) watched.push_back({each, selection(one, *selector)});
        }
      }
    }
    return std::make_unique<RemoteWatch>(api_, std::move(watched),
                                         selector ? *std::move(selector) : Selector(), from,
                                         std::move(on_ready), std::move(refused));
  }

  ResourceVersion version() const override {
    const auto resource = api_.resource({"", "Namespace"});
    if (!resource) return 0;
    const auto page = api_.list(*resource, {.limit = 1});
    return page ? version_number(page->version) : 0;
  }

  Result<std::unique_ptr<Registry>> fork() const override {
    PORTICO_TRY(const Listing all, list({}));
    store::EmbeddedOptions options;
    options.indexes = options_.indexes;
    return store::open_in_memory(std::move(options), all.objects, all.version);
  }

 private:
  bool may_list(const Resource& resource, const std::string& ns) const {
    return api_.list(resource, {.ns = ns, .limit = 1}).ok();
  }

  // The selection done by the server; the remaining conditions stay in `selector`.
  ListOptions selection(const Query& query, Selector& selector) const {
    ListOptions out{.ns = query.ns, .labels = query.labels.text()};
    selector.drop_labels();
    const auto add = [&](const std::string& name, const std::string& value, bool equal) {
      out.fields += fmt::format("{}{}{}{}", out.fields.empty() ? "" : ",", name,
                                equal ? "=" : "!=", escaped(value));
    };
    if (!query.name.empty()) add("metadata.name", query.name, true);
    const auto known = options_.selectable.find(query.type);
    if (known == options_.selectable.end()) return out;
    for (const registry::FieldRequirement& wanted : query.fields) {
      const auto index = std::find_if(options_.indexes.begin(), options_.indexes.end(),
                                      [&](const registry::IndexedField& each) {
                                        return each.type == query.type && each.name == wanted.name;
                                      });
      if (index == options_.indexes.end() || !wanted.equal) continue;
      const auto parts = registry::index_parts(wanted.value, index->paths.size());
      if (!parts || !std::all_of(index->paths.begin(), index->paths.end(), [&](const auto& path) {
            return known->second.contains(dotted(path));
          }))
        continue;
      for (std::size_t i = 0; i < parts->size(); ++i)
        add(dotted(index->paths[i]), (*parts)[i], true);
    }
    return out;
  }

  Result<Listing> list_one(const Resource& resource, const Query& query, Selector selector) const {
    ListOptions asked = selection(query, selector);
    asked.limit = query.limit > 0 ? query.limit : options_.page;
    asked.next = query.continue_from;
    if (query.version) asked.version = std::to_string(*query.version);
    Listing out;
    for (;;) {
      PORTICO_TRY(Page page, api_.list(resource, asked));
      out.version = version_number(page.version);
      for (Value& each : page.items)
        if (selector.matches_content(each)) out.objects.push_back(std::move(each));
      if (query.limit > 0) {
        out.next = std::move(page.next);
        out.remaining = page.remaining;
        return out;
      }
      if (page.next.empty()) break;
      asked.next = std::move(page.next);
      asked.version.clear();  // the token implies it
    }
    std::sort(out.objects.begin(), out.objects.end(), [](const Value& a, const Value& b) {
      return krm::object_key(a) < krm::object_key(b);
    });
    return out;
  }

  Result<std::vector<Value>> write_all(const std::vector<Write>& writes,
                                       const WriteOptions& options) const {
    std::vector<Value> out;
    out.reserve(writes.size());
    for (const Write& write : writes) {
      PORTICO_TRY(Value written, write_one(write, options));
      out.push_back(std::move(written));
    }
    return out;
  }

  Result<Value> write_one(const Write& write, const WriteOptions& options) const {
    const krm::ObjectKey key = krm::object_key(write.object);
    PORTICO_DO(registry::check_write(write), key.text());
    if (write.only) {
      const auto there = get(write.only->key);
      if (!there && there.error().code != Code::kNotFound) return there.error();
      PORTICO_DO(registry::still(*write.only, there ? krm::uid_of(*there) : ""), key.text());
    }
    auto written = send(write, key, options);
    if (written) return written;
    // If the object itself does not exist; for anything else the server's message is more specific.
    if (written.error().code == Code::kNotFound && written.error().reason == Reason::kByCode &&
        write.verb != Verb::kCreate && api_.resource(key.type))
      return registry::no_object(key);
    return std::move(written).error().in(key.text());
  }

  Result<Value> send(const Write& write, const krm::ObjectKey& key,
                     const WriteOptions& options) const {
    const krm::GroupVersion version = krm::group_version(write.object["apiVersion"].as_string());
    PORTICO_TRY(const Resource resource, api_.resource(key.type, version.version));
    // A status is the same in every version; for other writes, fields would be lost silently.
    const bool other = resource.version != version.version;
    if (other && write.verb != Verb::kUpdateStatus && write.verb != Verb::kDelete)
      return invalid("the server has {} in version {}, not in {}; write it in that version",
                     key.type.kind, resource.version, version.version);
    const Value object =
        other ? write.object.with("apiVersion", resource.api_version()) : write.object;
    switch (write.verb) {
      case Verb::kCreate:
        return api_.create(resource, object.without_at({"metadata", "resourceVersion"}), options);
      case Verb::kUpdate:
      case Verb::kReplace:
        return update(resource, object, "", options);
      case Verb::kUpdateAll: {
        PORTICO_TRY(Value written, update(resource, object, "", options));
        if (!resource.subresources.contains("status")) return written;
        return update(
            resource,
            object.with_at({"metadata", "resourceVersion"}, written["metadata"]["resourceVersion"]),
            "status", options);
      }
      case Verb::kUpdateStatus:
        return update(resource, object, "status", options);
      case Verb::kDelete:
        return remove(resource, write, key, options);
    }
    return internal("a write of no kind");
  }

  // Without a resourceVersion the update applies to the current object; some resources require the
  // version.
  Result<Value> update(const Resource& resource, const Value& object, std::string_view part,
                       const WriteOptions& options) const {
    const bool is_status = !part.empty();
    const std::string_view subresource =
        is_status && resource.subresources.contains(std::string(part)) ? part : "";
    const bool names_version = !object["metadata"]["resourceVersion"].as_string().empty();
    if (names_version && (!is_status || !subresource.empty()))
      return api_.update(resource, object, subresource, options);
    for (int attempt = 1;; ++attempt) {
      PORTICO_TRY(const Value now,
                  api_.get(resource, krm::namespace_of(object), krm::name_of(object)));
      Value wanted = is_status ? now.with("status", object["status"]) : object;
      wanted = wanted.with_at({"metadata", "resourceVersion"},
                              names_version ? object["metadata"]["resourceVersion"]
                                            : now["metadata"]["resourceVersion"]);
      auto done = api_.update(resource, wanted, subresource, options);
      const bool moved =
          !done && done.error().code == Code::kConflict && done.error().reason == Reason::kByCode;
      if (!moved || names_version || attempt == kMostTries) return done;
    }
  }

  Result<Value> remove(const Resource& resource, const Write& write, const krm::ObjectKey& key,
                       const WriteOptions& options) const {
    PORTICO_TRY(Value before, api_.get(resource, key.ns, key.name));
    Value preconditions = Value::object();
    for (const char* field : {"resourceVersion", "uid"})
      if (const Value* named = write.object["metadata"].find(field);
          named != nullptr && !named->as_string().empty())
        preconditions = preconditions.with(field, *named);
    Value how = Value::object({{"propagationPolicy", name_of(write.propagation)}});
    if (!preconditions.empty()) how = how.with("preconditions", std::move(preconditions));
    if (options.dry_run) how = how.with("dryRun", Value::array({Value("All")}));
    PORTICO_TRY(Value answer, api_.remove(resource, key.ns, key.name, how));
    return answer["kind"].as_string() == "Status" ? std::move(before) : std::move(answer);
  }

  Api& api_;
  const RemoteOptions options_;
};

}  // namespace

std::unique_ptr<Registry> make_remote_registry(Api& api, RemoteOptions options) {
  return std::make_unique<RemoteRegistry>(api, std::move(options));
}

}  // namespace portico::cluster
