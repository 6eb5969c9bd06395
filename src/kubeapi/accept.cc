#include "kubeapi/accept.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

#include "kubeapi/openapi_protobuf.h"

namespace portico::kubeapi {

namespace {

constexpr std::string_view kTypes =
    "application/json, application/yaml, application/vnd.kubernetes.protobuf";

constexpr std::string_view kOldOpenApiProtobufType =
    "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> split(std::string_view text, char by) {
  std::vector<std::string_view> out;
  for (;;) {
    const std::size_t at = text.find(by);
    out.push_back(trimmed(text.substr(0, at)));
    if (at == std::string_view::npos) return out;
    text.remove_prefix(at + 1);
  }
}

struct Clause {
  std::string_view type;
  std::vector<std::pair<std::string_view, std::string_view>> parameters;
  double quality = 1;

  std::string_view parameter(std::string_view name) const {
    for (const auto& [key, value] : parameters)
      if (key == name) return value;
    return "";
  }
};

Clause parse(std::string_view text) {
  const std::vector<std::string_view> parts = split(text, ';');
  Clause out;
  out.type = parts.front();
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::size_t equals = parts[i].find('=');
    const std::string_view key = trimmed(parts[i].substr(0, equals));
    const std::string_view value =
        equals == std::string_view::npos ? "" : trimmed(parts[i].substr(equals + 1));
    if (key == "q") {
      double quality = 1;
      const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), quality);
      if (error == std::errc() && end == value.data() + value.size()) out.quality = quality;
    } else {
      out.parameters.emplace_back(key, value);
    }
  }
  return out;
}

std::optional<Encoding> encoding_of(std::string_view type, const Offer& offer) {
  if (type == "application/json" || type == "*/*" || type == "application/*")
    return Encoding::kJson;
  if (type == "application/yaml") return Encoding::kYaml;
  if (type == "application/vnd.kubernetes.protobuf" && offer.protobuf) return Encoding::kProtobuf;
  if (offer.openapi_protobuf && (type == kOpenApiProtobufType || type == kOldOpenApiProtobufType))
    return Encoding::kProtobuf;
  return std::nullopt;
}

std::optional<Shape> shape_of(const Clause& clause, const Offer& offer) {
  const std::string_view as = clause.parameter("as"), group = clause.parameter("g"),
                         version = clause.parameter("v");
  if (as.empty()) return Shape::kAsIs;
  if (group == "apidiscovery.k8s.io" && as == "APIGroupDiscoveryList" && offer.group_discovery &&
      version == "v2")
    return Shape::kGroupDiscovery;
  if (group != "meta.k8s.io" || !offer.forms || (version != "v1" && version != "v1beta1"))
    return std::nullopt;
  if (as == "Table") return Shape::kTable;
  if (as == "PartialObjectMetadata") return Shape::kPartialMetadata;
  if (as == "PartialObjectMetadataList") return Shape::kPartialMetadataList;
  return std::nullopt;
}

std::string_view type_name(Encoding encoding) {
  switch (encoding) {
    case Encoding::kJson:
      return "application/json";
    case Encoding::kYaml:
      return "application/yaml";
    case Encoding::kProtobuf:
      return "application/vnd.kubernetes.protobuf";
  }
  return "";
}

}  // namespace

StatusOr<Form> negotiate(std::string_view accept, const Offer& offer) {
  if (trimmed(accept).empty()) accept = "application/json";
  std::vector<Clause> clauses;
  for (const std::string_view part : split(accept, ',')) clauses.push_back(parse(part));
  std::stable_sort(clauses.begin(), clauses.end(),
                   [](const Clause& a, const Clause& b) { return a.quality > b.quality; });
  bool known_type = false;
  for (const Clause& clause : clauses) {
    const auto encoding = encoding_of(clause.type, offer);
    if (!encoding || clause.quality <= 0) continue;
    known_type = true;
    const auto shape = shape_of(clause, offer);
    if (!shape) continue;
    Form form;
    form.encoding = *encoding;
    form.shape = *shape;
    if (*shape != Shape::kAsIs) form.version = clause.parameter("v");
    form.pretty = clause.parameter("pretty") == "1" || clause.parameter("pretty") == "true";
    form.content_type = *encoding == Encoding::kProtobuf && offer.openapi_protobuf
                            ? kOpenApiProtobufType
                            : type_name(*encoding);
    if (*shape == Shape::kGroupDiscovery)
      form.content_type += ";g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    return form;
  }
  if (known_type || !offer.forms)
    return not_acceptable(fmt::format("only the following media types are accepted: {}", kTypes));
  StatusError refusal =
      not_acceptable(fmt::format("406: Not Acceptable\n\nAvailable representations: {}", kTypes));
  refusal.details = Details{};
  return refusal;
}

}  // namespace portico::kubeapi
