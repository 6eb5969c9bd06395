// Suite render: whole packages through `kpt fn render`.
#include "conformance/internal/kpt_case.h"

namespace portico::conformance {

std::vector<CaseResult> run_render(const std::filesystem::path& data) {
  return each_case(data, [&](const std::string& name, const std::filesystem::path& folder) {
    const auto one = read_case(data, folder);
    return one ? run_kpt_case(*one) : failed(name, one.error().text());
  });
}

}  // namespace portico::conformance
