// Arbitrary bytes as protobuf bodies of each kind: whatever is decoded must be printable.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "json/text.h"
#include "kubeapi/protobuf.h"

namespace kubeapi = portico::kubeapi;
namespace json = portico::json;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view body(reinterpret_cast<const char*>(data), size);
  const auto envelope = kubeapi::open_envelope(body);
  const std::string_view object = envelope ? envelope->object : body;
  for (const auto& [group, kind] :
       {std::pair{"", "ConfigMap"}, std::pair{"", "Secret"}, std::pair{"", "Namespace"},
        std::pair{"", "ServiceAccount"}, std::pair{"", "Event"}, std::pair{"", "DeleteOptions"},
        std::pair{"authentication.k8s.io", "TokenRequest"},
        std::pair{"authorization.k8s.io", "SubjectAccessReview"},
        std::pair{"coordination.k8s.io", "Lease"},
        std::pair{"rbac.authorization.k8s.io", "ClusterRole"},
        std::pair{"rbac.authorization.k8s.io", "RoleBinding"}}) {
    const auto value = kubeapi::decode_protobuf(group, kind, object);
    if (value && !json::check_printable(*value)) std::abort();
  }
  return 0;
}
