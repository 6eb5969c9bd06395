#include "controllers/status.h"

#include "base/secrets.h"
#include "krm/meta.h"
#include "variants/undecoded.h"

namespace portico::controllers {

using json::Value;

Result<Done> write_status(registry::Registry& registry, const Value& object, const Value& status) {
  if (object["status"] == status) return Done{};
  const Value changed = object.with("status", status).without_at({"metadata", "resourceVersion"});
  if (auto written = registry.commit({{registry::Verb::kUpdateStatus, changed}});
      !written && written.error().code != Code::kNotFound)
    return std::move(written).error();
  return Done{};
}

Result<Done> write_undecoded(registry::Registry& registry, const Value& object, Error why,
                             TimePoint now) {
  // The object's own name is redundant in its own status.
  if (!why.where.empty() && why.where.back() == krm::object_key(object).text())
    why.where.pop_back();
  why.what = without_secrets(why.what);
  return write_status(registry, object, variants::undecoded_status(object, why, now));
}

}  // namespace portico::controllers
