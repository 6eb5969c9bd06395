// One KRM resource in a file of a package: read as a JSON value, changed without touching a byte
// more than the change needs. The only door through which the layers above see YAML.
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

/// What makes a resource the same resource (kpt: group, kind, namespace, name; version aside).
struct ResourceId {
  std::string group, kind, ns, name;
  auto operator<=>(const ResourceId&) const = default;
};

/// A scalar met by Object::visit_scalars. Views live for the call only.
struct ScalarRef {
  const Path& path;
  std::string_view source;        // as written, quotes included
  const json::Value& value;       // as kyaml reads it (go-yaml v3's types)
  std::string_view line_comment;  // "# kpt-set: ${x}" on the same line; "" where there is none
  bool is_key = false;            // always false unless keys were asked for
};

class Object;
struct Plan;

/// One change of Object::edit. A node that is copied from another object brings its comments and
/// layout along, shifted to its new depth.
struct Edit {
  enum class Verb {
    kSet,     // the node at `path` becomes `value`, or the node at `from_path` of `from`; made
              // where it is missing (a list index == size appends)
    kInsert,  // the same, as a new list item in front of index path.back()
    kRemove,  // the node at `path` goes, with its comments
    kRename,  // the member at `path` gets the name `value`, a string, in its place in the map
  };
  Verb verb = Verb::kSet;
  Path path;
  json::Value value;
  const Object* from = nullptr;  // borrowed for the call
  Path from_path = {};
  std::vector<std::string> key_order =
      {};  // of the members of a new map `value`; the others by name
};

/// Where a list stands that is the value of a key.
enum class Lists { kKeep, kCompact, kWide };

/// How a scalar is to be written: kString puts a plain one that YAML 1.1 would take for something
/// else into double quotes, kNonString takes such a one out of its quotes; kNeeded writes a string
/// without quotes where it can stand so.
enum class Quotes { kKeep, kString, kNonString, kNeeded };

/// How Object::arrange writes a document; what is empty changes nothing.
struct Arrangement {
  /// Whether the member `a` of the map at `map` stands in front of `b`: a strict weak order.
  std::function<bool(const Path& map, std::string_view a, std::string_view b)> before;
  /// For a list: what its items are sorted by, or nothing where they keep their order.
  using Key = std::function<std::string(const json::Value& item)>;
  std::function<std::optional<Key>(const Path& list)> item_key;
  std::function<Quotes(const Path& scalar)> quotes;
};

/// An immutable document with value semantics: copies share text and parse; an edit gives this
/// object a new text in which every byte that the edit did not need to change is as it was
/// (comments, blank lines, quoting, indentation, key order). Safe to copy between threads.
class Object {
 public:
  /// The documents of one YAML (or JSON) file, in order. Empty documents are dropped but their
  /// text stays with the neighbour, so that joining the results gives the file back byte for byte.
  /// kInvalid with "line:column" for what does not parse. Documents that are no KRM (no apiVersion
  /// or kind) are handed back too: ask is_krm().
  static Result<std::vector<Object>> parse_file(std::string_view text);
  /// The inverse of parse_file: what a file with these objects holds.
  static std::string join_file(const std::vector<Object>& objects);

  /// One document; kInvalid where the text has none or several.
  static Result<Object> parse(std::string_view text);
  /// A new document in kyaml's layout (two blanks, compact lists), keys in the given order for
  /// apiVersion, kind, metadata, then by name.
  static Object from_value(const json::Value& value);

  bool is_krm() const;  // a map with string apiVersion and kind
  std::string_view api_version() const;
  std::string_view kind() const;
  std::string_view name() const;  // metadata.name
  std::string_view ns() const;    // metadata.namespace
  std::optional<std::string> annotation(std::string_view key) const;
  ResourceId id() const;

  /// The whole object decoded; decoded once and shared.
  const json::Value& value() const;
  const std::string& text() const;
  /// What stands in front of the first document of a file: a byte order mark, empty documents with
  /// their comments. "" for all others.
  std::string_view preamble() const;

  /// Sets the value at `path`, creating maps on the way (a missing list index must be size:
  /// append). Scalars that stay equal, and members of maps and lists that stay, are not touched.
  Result<Done> set(const Path& path, const json::Value& value);
  Result<Done> remove(const Path& path);  // nothing there: nothing done
  /// kInvalid where the map has a member of that name; nothing at `path`: nothing done.
  Result<Done> rename(const Path& path, std::string_view name);
  /// The smallest edit after which value() == desired. New map members are appended in key order
  /// (apiVersion, kind, metadata first).
  Result<Done> update(const json::Value& desired);
  /// Puts `value` in front of the list at `path` (made when missing). Members of map items are
  /// written in the order given by `key_order`, then by name.
  Result<Done> prepend(const Path& path, const std::vector<json::Value>& items,
                       const std::vector<std::string>& key_order = {});

  /// Several changes at once. Paths mean this object as it is before any of them; changes of one
  /// list keep the order given. kInvalid where two of them contradict each other.
  Result<Done> edit(const std::vector<Edit>& edits);

  /// Whether the first list stands deeper than its key.
  bool has_wide_lists() const;
  /// The same object in the layout that kyaml gives text on its way between programs: without blank
  /// lines outside of scalars and comments, lists as `lists` says. As it is where that would change
  /// its value.
  Object relaid(Lists lists) const;

  /// The items of the list at `path` as objects of their own, written as they are here, comments
  /// above and inside of them too; those that cannot stand alone so are written afresh.
  std::vector<Object> items_at(const Path& path) const;
  /// The map at `path` as an object of its own, in the same way. kNotFound where there is none.
  Result<Object> map_at(const Path& path) const;

  /// Members, items and quotes as `how` wants them, comments with what they belong to; every other
  /// byte stays. kInvalid, and nothing changed, where aliases or merge keys do not allow it.
  Result<Done> arrange(const Arrangement& how);

  /// Every scalar value in document order. apply-setters and search-replace live on this.
  void visit_scalars(const std::function<void(const ScalarRef&)>& visit) const;
  /// The node at `path` as it is written, without anchor, tag and comments; "" where there is none.
  /// A list on one line begins with '[', a quoted scalar with its quote. Valid while this Object is
  /// not assigned to.
  std::string_view source(const Path& path) const;
  /// The comment on the line of the node at `path` (for a map or list: on its key's line).
  std::string line_comment(const Path& path) const;
  /// The comment lines right above the line on which the member or item at `path` begins, joined by
  /// line breaks, without their indentation; "" where there are none.
  std::string head_comment(const Path& path) const;
  Result<Done> set_line_comment(const Path& path, std::string_view comment);

  friend bool operator==(const Object& a, const Object& b) { return a.text() == b.text(); }

 private:
  struct State;
  friend const yaml::Document& document_of(const Object& object);
  explicit Object(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  /// One way of carrying out edit().
  struct Way;
  Result<Done> edit_with(const Plan& plan, const json::Value& expected, const Way& way);
  /// Takes over a new text with the value `expected`, which it must have.
  Result<Done> take(std::string text, const json::Value& expected);
  std::shared_ptr<const State> state_;
};

}  // namespace portico::krm
