#include "schema/internal/resource_node.h"

namespace portico::schema::internal {
namespace {

const Schema& text_schema() {
  static const Schema kText = [] {
    Node text;
    text.type = Type::kString;
    return Schema(std::make_shared<const Node>(std::move(text)));
  }();
  return kText;
}

}  // namespace

const Node& metadata_node() {
  static const Node kMetadata = [] {
    Node metadata;
    metadata.type = Type::kObject;
    metadata.properties = {{"generateName", text_schema()}, {"name", text_schema()}};
    return metadata;
  }();
  return kMetadata;
}

const Node* resource_member(const Node& node, std::string_view name) {
  if (name == "apiVersion" || name == "kind") return &*text_schema();
  if (name == "metadata") return &metadata_node();
  return node.member(name);
}

}  // namespace portico::schema::internal
