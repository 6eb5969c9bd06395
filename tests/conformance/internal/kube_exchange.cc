#include "conformance/internal/kube_exchange.h"

#include <algorithm>

#include "conformance/support.h"
#include "json/text.h"
#include "krm/object.h"

namespace portico::conformance {
namespace {

using json::Value;

/// The files do not contain Kubernetes objects: parse them as a member of one.
Result<Value> read_yaml(const std::filesystem::path& file) {
  PORTICO_TRY(const std::string text, read_file(file));
  std::string indented = "apiVersion: v1\nkind: Case\nvalue:\n";
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    indented += "  " + text.substr(begin, end - begin) + "\n";
    begin = end + 1;
  }
  PORTICO_TRY(const krm::Object object, krm::Object::parse(indented), file.string());
  return Value(object.value()["value"]);
}

std::vector<std::string> split(std::string_view text, char by) {
  std::vector<std::string> out;
  for (std::size_t begin = 0;;) {
    const std::size_t end = text.find(by, begin);
    out.emplace_back(text.substr(begin, end - begin));
    if (end == std::string_view::npos) return out;
    begin = end + 1;
  }
}

Result<Done> add_kinds(const std::filesystem::path& file, std::vector<KubeKind>& out) {
  PORTICO_TRY(const Value definition, read_yaml(file));
  const Value& spec = definition["spec"];
  for (const Value& version : spec["versions"].items()) {
    KubeKind kind{.group = std::string(spec["group"].as_string()),
                  .version = std::string(version["name"].as_string()),
                  .plural = std::string(spec["names"]["plural"].as_string()),
                  .kind = std::string(spec["names"]["kind"].as_string()),
                  .schema = {},
                  .rules = {},
                  .has_status = version["subresources"].contains("status")};
    kind.rules.namespaced = spec["scope"].as_string() == "Namespaced";
    if (const Value* scale = version["subresources"].find("scale"))
      kind.rules.scale =
          schema::ScalePaths{std::string((*scale)["specReplicasPath"].as_string()),
                             std::string((*scale)["statusReplicasPath"].as_string())};
    PORTICO_TRY(kind.schema, schema::parse(version["schema"]["openAPIV3Schema"]), file.string());
    kind.rules.rules = schema::Rules::compile(kind.schema);
    out.push_back(std::move(kind));
  }
  return Done{};
}

KubeStep read_step(const Value& step) {
  KubeStep out;
  const Value& request = step["request"];
  out.method = request["method"].as_string();
  const std::string path(request["path"].as_string());
  const std::size_t mark = path.find('?');
  if (mark != std::string::npos) out.query = path.substr(mark + 1);
  std::vector<std::string> parts = split(std::string_view(path).substr(1, mark - 1), '/');
  std::size_t at = parts[0] == "api" ? 1 : 2;
  const auto next = [&] { return at < parts.size() ? parts[at++] : std::string(); };
  if (parts[0] == "apis" && parts.size() > 1) out.group = parts[1];
  out.version = next();
  if (at < parts.size() && parts[at] == "namespaces" && at + 2 < parts.size()) at += 2;
  out.plural = next();
  out.name = next();
  out.subresource = next();
  out.content_type = request["headers"]["Content-Type"].as_string();
  if (out.content_type.empty()) out.content_type = "application/json";
  for (const std::string& parameter : split(out.query, '&'))
    if (parameter.starts_with("fieldValidation="))
      out.field_validation = parameter.substr(parameter.find('=') + 1);
  if (const Value* body = request.find("body")) {
    out.body = *body;
    out.body_text = json::print(*body);
  }
  if (request.contains("bodyText")) out.body_text = request["bodyText"].as_string();
  out.response = step["response"];
  return out;
}

}  // namespace

std::vector<std::string> KubeStep::warnings() const {
  std::vector<std::string> out;
  for (const Value& one : response["headers"]["Warning"].items()) {
    const auto quoted = json::parse(one.as_string().substr(one.as_string().find('"')));
    out.emplace_back(quoted ? quoted->as_string() : one.as_string());
  }
  return out;
}

const KubeKind* KubeCase::kind_of(const KubeStep& step) const {
  const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const KubeKind& kind) {
    return kind.group == step.group && kind.version == step.version && kind.plural == step.plural;
  });
  return found == kinds.end() ? nullptr : &*found;
}

Result<KubeCase> read_kube_case(const std::filesystem::path& file) {
  PORTICO_TRY(const Value document, read_yaml(file));
  KubeCase out;
  for (const Value& name : document["crds"].items())
    PORTICO_DO(add_kinds(
        file.parent_path().parent_path() / "crds" / (std::string(name.as_string()) + ".yaml"),
        out.kinds));
  for (const Value& step : document["steps"].items())
    if (step.contains("request")) out.steps.push_back(read_step(step));
  return out;
}

Value without_server_fields(const Value& object) {
  Value out = object;
  for (const char* field :
       {"uid", "resourceVersion", "generation", "creationTimestamp", "managedFields", "namespace"})
    if (out["metadata"].contains(field)) out = out.without_at({"metadata", field});
  return out;
}

std::string recorded_causes(const Value& status) {
  std::vector<std::string> lines;
  for (const Value& cause : status["details"]["causes"].items())
    lines.push_back(fmt::format("{} {}: {}\n", cause["reason"].as_string(),
                                cause["field"].as_string(), cause["message"].as_string()));
  std::sort(lines.begin(), lines.end());
  return fmt::format("{}", fmt::join(lines, ""));
}

std::string found_causes(const std::vector<Cause>& causes) {
  std::vector<std::string> lines;
  for (const Cause& cause : causes)
    lines.push_back(fmt::format("{} {}: {}\n", cause.reason, cause.field, cause.message));
  std::sort(lines.begin(), lines.end());
  return fmt::format("{}", fmt::join(lines, ""));
}

}  // namespace portico::conformance
