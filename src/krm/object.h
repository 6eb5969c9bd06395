// One KRM resource in a file of a package: readable as a JSON value, and editable with minimal
// changes of the text. The only access to YAML for the layers above.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace portico::yaml {
class Document;
}

namespace portico::krm {

/// A member name or a list index.
using Step = std::variant<std::string, std::size_t>;
using Path = std::vector<Step>;
std::string path_text(const Path& path);  // "spec.containers[0].image"

/// The identity of a resource (as in kpt: group, kind, namespace and name, but not the version).
struct ResourceId {
  std::string group, kind, ns, name;
  auto operator<=>(const ResourceId&) const = default;
};

/// A scalar passed by Object::visit_scalars. The views are valid only during the call.
struct ScalarRef {
  const Path& path;
  std::string_view source;        // as written, quotes included
  const json::Value& value;       // the value that kyaml reads (go-yaml v3's types)
  std::string_view line_comment;  // "# kpt-set: ${x}" on the same line; "" if there is none
  bool is_key = false;            // always false: only values are visited
};

class Object;
struct Plan;

/// One change of Object::edit. A node copied from another object keeps its comments and layout,
/// indented for its new depth.
struct Edit {
  enum class Verb {
    kSet,  // the node at `path` becomes `value`, or the node at `from_path` of `from`; created if
           // missing (a list index == size appends)
    kInsert,  // the same, as a new list item before index path.back()
    kRemove,  // the node at `path` is removed, with its comments
    kRename,  // the member at `path` is renamed to `value`, a string, and keeps its position
  };
  Verb verb = Verb::kSet;
  Path path;
  json::Value value;
  const Object* from = nullptr;  // borrowed for the call
  Path from_path = {};
  std::vector<std::string> key_order =
      {};  // of the members of a new map `value`; the others follow by name
};

/// The indentation of a list that is the value of a key.
enum class Lists { kKeep, kCompact, kWide };

/// How a scalar is written. kString double-quotes a plain scalar that YAML 1.1 would read as
/// something other than a string; kNonString unquotes such a scalar; kNeeded unquotes a string if
/// it can be written plain.
enum class Quotes { kKeep, kString, kNonString, kNeeded };

/// How Object::arrange changes a document; empty members change nothing.
struct Arrangement {
  /// Whether member `a` of the map at `map` comes before `b`: a strict weak order.
  std::function<bool(const Path& map, std::string_view a, std::string_view b)> before;
  /// For a list: the sort key of its items, or nullopt to keep their order.
  using Key = std::function<std::string(const json::Value& item)>;
  std::function<std::optional<Key>(const Path& list)> item_key;
  std::function<Quotes(const Path& scalar)> quotes;
};

/// An immutable document with value semantics: copies share text and parse. An edit gives this
/// object a new text in which all bytes that need not change stay the same (comments, blank lines,
/// quoting, indentation, key order). Safe to copy between threads.
class Object {
 public:
  /// The documents of one YAML (or JSON) file, in order. Empty documents are dropped, but their
  /// text is attached to a neighbor, so that joining the results restores the file byte for byte.
  /// kInvalid with "line:column" if the text does not parse. Documents that are not KRM (no
  /// apiVersion or kind) are included: see is_krm().
  static Result<std::vector<Object>> parse_file(std::string_view text);
  /// The inverse of parse_file: the text of a file with these objects.
  static std::string join_file(const std::vector<Object>& objects);

  /// Parses exactly one document; kInvalid if the text has none or several.
  static Result<Object> parse(std::string_view text);
  /// A new document in kyaml's layout (indented by two, compact lists), with apiVersion, kind and
  /// metadata first and the other keys by name.
  static Object from_value(const json::Value& value);

  bool is_krm() const;  // a map with string apiVersion and kind
  std::string_view api_version() const;
  std::string_view kind() const;
  std::string_view name() const;  // metadata.name
  std::string_view ns() const;    // metadata.namespace
  std::optional<std::string> annotation(std::string_view key) const;
  ResourceId id() const;

  /// The whole object as a value; decoded once and shared.
  const json::Value& value() const;
  const std::string& text() const;
  /// The text before the first document of a file: a byte order mark, empty documents with their
  /// comments. "" for all other objects.
  std::string_view preamble() const;

  /// Sets the value at `path`, creating missing maps (a missing list index must equal the size:
  /// append). Equal scalars and remaining members of maps and lists are not touched.
  Result<Done> set(const Path& path, const json::Value& value);
  Result<Done> remove(const Path& path);  // a no-op if it does not exist
  /// kInvalid if the map already has a member of that name; a no-op if `path` does not exist.
  Result<Done> rename(const Path& path, std::string_view name);
  /// The smallest edit that makes value() equal to `desired`. New map members are appended in key
  /// order (apiVersion, kind, metadata first).
  Result<Done> update(const json::Value& desired);
  /// Inserts `items` at the front of the list at `path` (created if missing). Members of map items
  /// are written in the order given by `key_order`, then by name.
  Result<Done> prepend(const Path& path, const std::vector<json::Value>& items,
                       const std::vector<std::string>& key_order = {});

  /// Several changes at once. All paths refer to this object before any of the changes; changes of
  /// one list keep their given order. kInvalid if two changes contradict each other.
  Result<Done> edit(const std::vector<Edit>& edits);

  /// Whether the first list is indented deeper than its key.
  bool has_wide_lists() const;
  /// The same object in the layout that kyaml uses for text passed between programs: no blank lines
  /// except in scalars and comments, and lists as in `lists`. Unchanged if that would change its
  /// value.
  Object relaid(Lists lists) const;

  /// The items of the list at `path` as separate objects that keep their text, including comments
  /// above and inside them. Items whose text cannot stand alone are written from their values.
  std::vector<Object> items_at(const Path& path) const;
  /// The map at `path` as a separate object, in the same way. kNotFound if there is none.
  Result<Object> map_at(const Path& path) const;

  /// Arranges members, items and quotes according to `how`; comments move with what they belong to,
  /// and all other bytes stay. kInvalid, without any change, if aliases or merge keys do not allow
  /// it.
  Result<Done> arrange(const Arrangement& how);

  /// Visits all scalar values in document order. Used by apply-setters and search-replace.
  void visit_scalars(const std::function<void(const ScalarRef&)>& visit) const;
  /// The source text of the node at `path`, without anchor, tag and comments; "" if there is no
  /// such node. A list on one line begins with '[', a quoted scalar with its quote. Valid until
  /// this Object is assigned to.
  std::string_view source(const Path& path) const;
  /// The comment on the line of the node at `path` (for a map or list: on its key's line).
  std::string line_comment(const Path& path) const;
  /// The comment lines directly above the line on which the member or item at `path` begins, joined
  /// by line breaks, without their indentation; "" if there are none.
  std::string head_comment(const Path& path) const;
  Result<Done> set_line_comment(const Path& path, std::string_view comment);

  friend bool operator==(const Object& a, const Object& b) { return a.text() == b.text(); }

 private:
  struct State;
  friend const yaml::Document& document_of(const Object& object);
  explicit Object(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  /// One strategy for carrying out edit().
  struct Way;
  Result<Done> edit_with(const Plan& plan, const json::Value& expected, const Way& way);
  /// Replaces the text; the new one must have the value `expected`.
  Result<Done> take(std::string text, const json::Value& expected);
  std::shared_ptr<const State> state_;
};

}  // namespace portico::krm
