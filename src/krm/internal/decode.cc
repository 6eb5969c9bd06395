#include "krm/internal/decode.h"

#include <algorithm>

#include "yaml/resolve.h"

namespace portico::krm {
namespace {

using yaml::Document;
using yaml::Kind;
using yaml::NodeId;

constexpr std::size_t kMaxNodes = 250'000;
constexpr int kMaxDepth = 512;

json::Value to_json(const yaml::Resolved& resolved, std::string_view text) {
  switch (resolved.type) {
    case yaml::Type::kNull:
      return nullptr;
    case yaml::Type::kBool:
      return resolved.boolean;
    case yaml::Type::kInt:
      return resolved.integer;
    case yaml::Type::kUint:
      return resolved.unsigned_integer;
    case yaml::Type::kFloat:
      return resolved.number;
    case yaml::Type::kString:
    case yaml::Type::kMerge:
      break;
  }
  return text;
}

class Decoder {
 public:
  explicit Decoder(const Document& document) : document_(document) {}

  Result<json::Value> node(NodeId id) {
    const yaml::Node& node = document_[id];
    if (node.kind == Kind::kAlias) return alias(id);
    // Only the nodes that aliases add are limited here; the parser limits the text itself.
    if (aliases_ > 0 && ++expanded_ > kMaxNodes)
      return fail(id, "excessive aliasing: aliases expand to more than 250,000 nodes");
    switch (node.kind) {
      case Kind::kMap:
        return map(id);
      case Kind::kSeq:
        return list(id);
      default:
        return scalar(id);
    }
  }

 private:
  Error fail(NodeId id, std::string_view what) const {
    return invalid("{}", what).in(document_.place(document_[id].begin));
  }

  Result<json::Value> alias(NodeId id) {
    const NodeId target = document_[id].column;
    if (target < id && document_[target].next > id) return fail(id, "anchor value contains itself");
    if (++depth_ > kMaxDepth) return fail(id, "aliases nested too deep");
    ++aliases_;
    auto value = node(target);
    --aliases_;
    --depth_;
    return value;
  }

  Result<json::Value> scalar(NodeId id) {
    PORTICO_TRY(const yaml::Resolved resolved, yaml::resolve(document_, id));
    return to_json(resolved, document_.scalar(id, scratch_));
  }

  Result<json::Value> list(NodeId id) {
    if (++depth_ > kMaxDepth) return fail(id, "nested too deep");
    std::vector<json::Value> items;
    items.reserve(document_.child_count(id));
    for (NodeId at = document_.first_child(id); at != yaml::kNoNode;
         at = document_.next_sibling(id, at)) {
      PORTICO_TRY(json::Value value, node(at));
      items.push_back(std::move(value));
    }
    --depth_;
    return json::Value::array(std::move(items));
  }

  Result<json::Value> map(NodeId id) {
    if (++depth_ > kMaxDepth) return fail(id, "nested too deep");
    std::vector<json::Member> members;
    std::vector<NodeId> keys;
    std::vector<NodeId> merges;
    const std::size_t size = document_.child_count(id) / 2;
    members.reserve(size);
    keys.reserve(size);
    for (NodeId key = document_.first_child(id); key != yaml::kNoNode;) {
      const NodeId value = document_[key].next;
      if (is_merge_key(document_, key)) {
        merges.push_back(value);
      } else {
        PORTICO_TRY(json::Value decoded, node(value));
        members.push_back({key_text(document_, key, scratch_), std::move(decoded)});
        keys.push_back(key);
      }
      key = document_.next_sibling(id, value);
    }
    PORTICO_DO(check_unique(members, keys));
    if (!merges.empty()) PORTICO_DO(merge(merges, members));
    --depth_;
    return json::Value::object(std::move(members));
  }

  Result<Done> check_unique(const std::vector<json::Member>& members,
                            const std::vector<NodeId>& keys) const {
    if (members.size() < 2) return Done{};
    std::vector<std::pair<std::string_view, NodeId>> names;
    names.reserve(members.size());
    for (std::size_t i = 0; i < members.size(); ++i) names.emplace_back(members[i].name(), keys[i]);
    std::sort(names.begin(), names.end());
    for (std::size_t i = 1; i < names.size(); ++i) {
      if (names[i - 1].first != names[i].first) continue;
      return invalid("mapping key \"{}\" already defined at {}", names[i].first,
                     document_.place(document_[names[i - 1].second].begin))
          .in(document_.place(document_[names[i].second].begin));
    }
    return Done{};
  }

  /// Inserts the members from merge keys before the map's own members, so that the latter take
  /// precedence. Among the maps of a list, earlier ones take precedence.
  Result<Done> merge(const std::vector<NodeId>& merges, std::vector<json::Member>& members) {
    if (merges.size() > 1) return fail(merges[1], "duplicate merge key \"<<\"");
    const NodeId target = document_.target(merges[0]);
    const bool listed = document_[target].kind == Kind::kSeq;
    if (target < merges[0] && document_[target].next > merges[0])
      return fail(merges[0], "anchor value contains itself");
    const bool through_alias = listed && target != merges[0];
    if (through_alias) ++aliases_;
    std::vector<json::Member> merged;
    std::vector<NodeId> sources = {merges[0]};
    if (listed) sources = list_items(document_, target);
    for (auto source = sources.rbegin(); source != sources.rend(); ++source) {
      if (document_[document_.target(*source)].kind != Kind::kMap)
        return fail(*source,
                    "map merge \"<<\" requires a map, an alias of one, or a list of these");
      PORTICO_TRY(const json::Value value, node(*source));
      merged.insert(merged.end(), value.members().begin(), value.members().end());
    }
    if (through_alias) --aliases_;
    merged.insert(merged.end(), members.begin(), members.end());
    members = std::move(merged);
    return Done{};
  }

  const Document& document_;
  std::size_t expanded_ = 0;
  int aliases_ = 0;
  int depth_ = 0;
  std::string scratch_;
};

}  // namespace

Result<json::Value> decode(const Document& document) { return Decoder(document).node(0); }

json::Value scalar_value(const Document& document, NodeId id) {
  const auto resolved = yaml::resolve(document, id);
  std::string scratch;
  return to_json(resolved ? *resolved : yaml::Resolved(), document.scalar(id, scratch));
}

std::string_view key_text(const Document& document, NodeId key, std::string& scratch) {
  const NodeId target = document.target(key);
  if (document[target].kind != Kind::kScalar) return document.source(target);
  return document.scalar(target, scratch);
}

bool is_merge_key(const Document& document, NodeId key) {
  const yaml::Node& node = document[key];
  if (node.kind != Kind::kScalar || node.end - node.begin > 64) return false;
  if (!node.has_tag) return node.style == yaml::Style::kPlain && document.source(key) == "<<";
  const auto resolved = yaml::resolve(document, key);
  return resolved && resolved->type == yaml::Type::kMerge;
}

std::vector<MapMember> map_members(const Document& document, NodeId map) {
  std::vector<MapMember> out;
  for (NodeId key = document.first_child(map); key != yaml::kNoNode;) {
    const NodeId value = document[key].next;
    out.push_back({key, value});
    key = document.next_sibling(map, value);
  }
  return out;
}

std::vector<NodeId> list_items(const Document& document, NodeId list) {
  std::vector<NodeId> out;
  for (NodeId item = document.first_child(list); item != yaml::kNoNode;
       item = document.next_sibling(list, item))
    out.push_back(item);
  return out;
}

std::optional<MapMember> find_member(const Document& document, NodeId map, std::string_view name) {
  std::string scratch;
  for (NodeId key = document.first_child(map); key != yaml::kNoNode;) {
    const NodeId value = document[key].next;
    if (!is_merge_key(document, key) && key_text(document, key, scratch) == name)
      return MapMember{key, value};
    key = document.next_sibling(map, value);
  }
  return std::nullopt;
}

std::optional<NodeId> find_node(const Document& document, const Path& path) {
  NodeId at = Document::root();
  for (const Step& step : path) {
    at = document.target(at);
    if (const auto* name = std::get_if<std::string>(&step)) {
      if (document[at].kind != Kind::kMap) return std::nullopt;
      const auto member = find_member(document, at, *name);
      if (!member) return std::nullopt;
      at = member->value;
    } else {
      if (document[at].kind != Kind::kSeq) return std::nullopt;
      const std::vector<NodeId> items = list_items(document, at);
      const std::size_t index = std::get<std::size_t>(step);
      if (index >= items.size()) return std::nullopt;
      at = items[index];
    }
  }
  return at;
}

}  // namespace portico::krm
