#include "controllers/decoded.h"

#include "api/kinds.h"

namespace portico::controllers {

Result<variants::Revision> as_revision(const json::Value& object, Caches& caches) {
  PORTICO_TRY(auto decoded, caches.revisions.get(object));
  return variants::Revision{std::move(decoded), std::string(object["status"]["tree"].as_string()),
                            std::string(krm::annotation_of(object, api::kVariantAnnotation))};
}

}  // namespace portico::controllers
