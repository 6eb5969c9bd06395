#include "schema/internal/default_causes.h"

#include "schema/causes.h"
#include "schema/metadata.h"
#include "schema/shape.h"
#include "schema/validate.h"

namespace portico::schema::internal {
namespace {

using json::Value;

class Check {
 public:
  explicit Check(std::string_view path) : path_(path) {}

  /// `in_metadata`: metadata has a schema of its own, against which it is checked elsewhere.
  void walk(const Schema& schema, bool is_resource, bool in_metadata) {
    const Node& node = *schema;
    is_resource = is_resource || node.embedded_resource;
    if (is_resource) in_metadata = false;
    if (node.default_value) check(schema, *node.default_value, in_metadata);
    if (node.items) {
      Path::Mark mark(path_);
      path_.child("items");
      walk(node.items, false, in_metadata);
    }
    if (node.additional) {
      // Kubernetes does not check these, and so accepts objects that become invalid through their
      // defaults.
      Path::Mark mark(path_);
      path_.child("additionalProperties");
      walk(node.additional, false, in_metadata);
    }
    for (const Property& property : node.properties) {
      const bool meta = is_resource && (property.name == "metadata" || property.name == "kind" ||
                                        property.name == "apiVersion");
      Path::Mark mark(path_);
      path_.child("properties").key(property.name);
      walk(property.schema, false, in_metadata || meta);
    }
  }
  std::vector<Cause> take() { return std::move(causes_); }

 private:
  void check(const Schema& schema, const Value& value, bool in_metadata) {
    Path::Mark mark(path_);
    path_.child("default");
    if (!in_metadata && !fits(schema, value)) return;
    for (Cause& cause : validate(value, schema)) add(std::move(cause));
  }

  bool fits(const Schema& schema, const Value& value) {
    // A default is in the position of a member, so it is pruned as one.
    if (value.is_object() && !prune_member(schema, value))
      causes_.push_back(invalid_value(path_.text(), value, "must not have unknown fields"));
    const std::size_t before = causes_.size();
    for (Cause& cause : embedded_causes(value, schema)) add(std::move(cause));
    return causes_.size() == before;
  }

  static bool prune_member(const Schema& schema, const Value& value) {
    Node around;
    around.properties.push_back({"default", schema});
    const Schema outer(std::make_shared<const Node>(std::move(around)));
    return prune(Value::object({{"default", value}}), outer).unknown.empty();
  }

  /// The value was checked as a whole object, so prepends the path of the default.
  void add(Cause cause) {
    Path::Mark mark(path_);
    if (cause.field != "<nil>") path_.child(cause.field);
    cause.field = path_.text();
    causes_.push_back(std::move(cause));
  }

  Path path_;
  std::vector<Cause> causes_;
};

}  // namespace

std::vector<Cause> default_causes(const Schema& root, std::string_view path) {
  if (!root->has_defaults) return {};
  Check check(path);
  check.walk(root, true, false);
  return check.take();
}

}  // namespace portico::schema::internal
