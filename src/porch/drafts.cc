#include "drafts/wire.h"
#include "http/escape.h"
#include "porch/internal/paths.h"
#include "porch/porch.h"

namespace portico::porch {

using drafts::Built;
using drafts::Drafted;
using drafts::DraftRequest;
using json::Value;

namespace {

class RemoteDrafts : public drafts::Drafts {
 public:
  explicit RemoteDrafts(cluster::Api& api) : api_(api) {}

  Result<Built> build(const DraftRequest& request) override {
    PORTICO_TRY(const Value built, post(request, "builds"));
    return drafts::built_from_json(built);
  }

  Result<std::vector<drafts::BuildStep>> build_steps(const DraftRequest& request,
                                                     const std::string& upstream) override {
    PORTICO_TRY(const Value steps,
                post(request, "buildsteps", "?upstream=" + http::percent_encode(upstream)));
    return drafts::steps_from_json(steps);
  }

  Result<Drafted> draft(const DraftRequest& request) override {
    PORTICO_TRY(const Value drafted, post(request, "drafts"));
    return drafts::drafted_from_json(drafted);
  }

 private:
  Result<Value> post(const DraftRequest& request, std::string_view what,
                     const std::string& query = "") {
    return api_.call("POST", portico_path(request.ns, {what}) + query, drafts::to_json(request));
  }

  cluster::Api& api_;
};

}  // namespace

std::unique_ptr<drafts::Drafts> make_drafts(cluster::Api& api) {
  return std::make_unique<RemoteDrafts>(api);
}

}  // namespace portico::porch
