#include "apiserver/package_revs.h"

#include "api/kinds.h"
#include "kubeapi/answers.h"
#include "packages/package_store.h"

namespace portico::apiserver {

using json::Value;
using kubeapi::StatusOr;

Value package_rev_of(const Value& revision) {
  return Value::object({{"apiVersion", api::kConfigV1Alpha1},
                        {"kind", "PackageRev"},
                        {"metadata", revision["metadata"].without("managedFields")},
                        {"spec", Value::object()},
                        {"status", Value::object()}});
}

StatusOr<Outcome> PackageRevs::serve(Call& call) {
  const std::string& verb = call.info.verb;
  if (!call.info.rest.empty() || !call.info.subresource.empty()) return kubeapi::no_such_path();
  if (!call.type->can(verb)) return kubeapi::no_such_method();
  if (verb != "get") {
    call.view = std::make_shared<const View>(View{api::revision_kind(), package_rev_of});
    return stored_.serve(call);
  }
  if (call.info.ns.empty()) return kubeapi::no_such_path();
  const auto found = registry_.get(packages::revision_key(call.info.ns, call.info.name));
  if (!found) return kubeapi::status_error_of(found.error(), call.named(), call.info.name);
  PORTICO_TRY(const auto include, kubeapi::include_object(call.query.get("includeObject")));
  PORTICO_TRY(Value body, kubeapi::object_answer(package_rev_of(*found), *call.type, *call.version,
                                                 call.form, include, call.now));
  return Outcome(Made{200, std::move(body)});
}

}  // namespace portico::apiserver
