#include "apiserver/internal/query.h"

#include "apiserver/preconditions.h"

namespace portico::apiserver {

registry::Query query_of(const Call& call, const kubeapi::Filter& filter) {
  registry::Query out;
  out.type = stored_kind(call);
  out.ns = ns_of(call);
  out.labels = filter.labels();
  out.name = filter.name();
  if (out.name.empty()) out.name = call.info.name;
  if (out.ns.empty()) out.ns = filter.ns();
  return out;
}

}  // namespace portico::apiserver
