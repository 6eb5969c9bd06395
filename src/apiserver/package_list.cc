#include "apiserver/package_list.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "api/kinds.h"
#include "base/hash.h"
#include "kubeapi/answers.h"
#include "kubeapi/options.h"
#include "kubeapi/selector.h"

namespace portico::apiserver {

using json::Value;
using kubeapi::StatusOr;

namespace {

std::string name_of(std::string_view repository, std::string_view package) {
  std::string out = fmt::format("{}.{}", repository, package);
  std::replace(out.begin(), out.end(), '/', '.');
  return out;
}

// Stable for the lifetime of a package, and unique to it.
std::string uid_of(std::string_view ns, std::string_view repository, std::string_view package) {
  const std::string hash = sha1_hex(fmt::format("{}/{}/{}", ns, repository, package));
  return fmt::format("{}-{}-5{}-8{}-{}", hash.substr(0, 8), hash.substr(8, 4), hash.substr(13, 3),
                     hash.substr(17, 3), hash.substr(20, 12));
}

kubeapi::StatusError not_so(const Call& call, std::string_view instead) {
  return {405, "MethodNotAllowed",
          fmt::format("{} is not supported on resources of kind \"{}\"", instead,
                      call.named().resource()),
          kubeapi::Details{.name = {},
                           .group = call.named().group,
                           .kind = call.named().plural,
                           .uid = {},
                           .causes = {}}};
}

}  // namespace

std::vector<Value> packages_of(const std::vector<Value>& revisions) {
  struct Found {
    std::int64_t latest = 0;
    std::string since;
    std::uint64_t version = 0;
  };
  std::map<std::tuple<std::string, std::string, std::string>, Found> found;
  for (const Value& each : revisions) {
    const Value& spec = each["spec"];
    Found& one =
        found[{std::string(krm::namespace_of(each)), std::string(spec["repository"].as_string()),
               std::string(spec["packageName"].as_string())}];
    one.latest = std::max(one.latest, spec["revision"].as_int());
    one.version = std::max(one.version, krm::resource_version_of(each));
    const std::string created(each["metadata"]["creationTimestamp"].as_string());
    if (one.since.empty() || created < one.since) one.since = created;
  }
  std::vector<Value> out;
  for (const auto& [key, one] : found) {
    const auto& [ns, repository, package] = key;
    Value status = Value::object();
    if (one.latest > 0) status = status.with("latestRevision", one.latest);
    out.push_back(Value::object(
        {{"apiVersion", Value(api::kPorchV1Alpha1)},
         {"kind", Value(api::kPackageKind)},
         {"metadata", Value::object({{"name", name_of(repository, package)},
                                     {"namespace", ns},
                                     {"uid", uid_of(ns, repository, package)},
                                     {"resourceVersion", std::to_string(one.version)},
                                     {"creationTimestamp", one.since}})},
         {"spec", Value::object({{"packageName", package}, {"repository", repository}})},
         {"status", std::move(status)}}));
  }
  std::stable_sort(out.begin(), out.end(), [](const Value& a, const Value& b) {
    return std::tuple(krm::namespace_of(a), krm::name_of(a)) <
           std::tuple(krm::namespace_of(b), krm::name_of(b));
  });
  return out;
}

StatusOr<Outcome> PackageList::serve(Call& call) {
  const std::string& verb = call.info.verb;
  if (!call.info.rest.empty() || !call.info.subresource.empty()) return kubeapi::no_such_path();
  if (verb == "create")
    return not_so(
        call,
        "create or clone a PackageRevision resource to create a package as direct package "
        "creation");
  if (verb == "delete")
    return not_so(
        call,
        "delete all PackageRevisions resources of a package to delete a package as direct "
        "package deletion");
  if (verb == "update" || verb == "patch") return not_so(call, verb);
  if (verb == "watch") {
    // Two watches may read a package at different times after one change, so the events printed for
    // one are not valid for the other: a view is never shared.
    call.view = std::make_shared<const View>(
        View{call.type->kind(), [](const Value& each) { return each; }});
    return watched_.serve(call);
  }
  if (verb != "get" && verb != "list") return kubeapi::no_such_method();
  if (verb == "get" && call.info.ns.empty()) return kubeapi::no_such_path();

  PORTICO_TRY(const auto options, kubeapi::list_options(call.query, false));
  PORTICO_TRY(const auto filter,
              kubeapi::Filter::parse(options.labels, options.fields, *call.type, *call.version));
  PORTICO_TRY(const auto include, kubeapi::include_object(call.query.get("includeObject")));
  PORTICO_TRY(const registry::Listing all,
              registry_.list({.type = api::revision_kind(), .ns = call.info.ns}));
  std::vector<Value> packages = packages_of(all.objects);
  const std::string& name = filter.name().empty() ? call.info.name : filter.name();
  std::erase_if(packages, [&](const Value& each) {
    return (!name.empty() && krm::name_of(each) != name) ||
           (!filter.ns().empty() && krm::namespace_of(each) != filter.ns()) ||
           !filter.labels().matches_object(each) || !filter.matches_rest(each);
  });
  if (verb == "list") {
    kubeapi::ListMeta meta;
    meta.version = std::to_string(all.version);
    PORTICO_TRY(Value body, kubeapi::list_answer(packages, meta, *call.type, *call.version,
                                                 call.form, include, call.now));
    return Outcome(Made{200, std::move(body)});
  }
  if (packages.empty()) return kubeapi::not_found(call.named(), call.info.name);
  PORTICO_TRY(Value body, kubeapi::object_answer(packages.front(), *call.type, *call.version,
                                                 call.form, include, call.now));
  return Outcome(Made{200, std::move(body)});
}

}  // namespace portico::apiserver
