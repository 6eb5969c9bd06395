#include "krm/internal/decode.h"
#include "krm/internal/object_state.h"
#include "krm/internal/to_tree.h"
#include "krm/object.h"
#include "yaml/print.h"

namespace portico::krm {
namespace {

/// The lines with `shift` leading blanks removed, or as many as there are.
std::string outdented(std::string_view text, std::size_t shift) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    std::string_view line = text.substr(at, end - at);
    at = end;
    const std::size_t blanks = std::min(line.find_first_not_of(' '), line.size());
    line.remove_prefix(std::min(blanks, shift));
    out += line;
  }
  return out;
}

/// The text of a map that is an item of a block list, as a separate document; "" for anything else.
std::string item_text(const yaml::Document& document, yaml::NodeId list, yaml::NodeId item) {
  const yaml::Node& node = document[item];
  if (document[list].style != yaml::Style::kBlock || node.kind != yaml::Kind::kMap) return "";
  if (node.has_anchor || node.has_tag) return "";
  std::string text =
      yaml::item_text(yaml::Tree::copy(document, item, list, item), 0, yaml::layout_of(document));
  // Comments above it, then the dash.
  std::size_t dash = 0;
  while (dash < text.size() && text[dash] == '#') dash = text.find('\n', dash) + 1;
  if (dash >= text.size() || text[dash] != '-') return "";
  text[dash] = ' ';
  const std::string_view whole = document.text();
  const std::size_t line = whole.rfind('\n', node.begin) + 1;
  const std::size_t shift = node.begin - line - document[list].column;
  return text.substr(0, dash) + outdented(std::string_view(text).substr(dash), shift) + "\n";
}

}  // namespace

std::vector<Object> Object::items_at(const Path& path) const {
  const json::Value* list = &value();
  for (const Step& step : path) {
    const auto* name = std::get_if<std::string>(&step);
    list = name != nullptr ? &(*list)[*name] : &(*list)[std::get<std::size_t>(step)];
  }
  const auto node = find_node(state_->document, path);
  std::vector<yaml::NodeId> nodes;
  if (node && state_->document[*node].kind == yaml::Kind::kSeq)
    nodes = list_items(state_->document, *node);
  std::vector<Object> objects;
  for (std::size_t i = 0; i < list->items().size(); ++i) {
    const json::Value& item = (*list)[i];
    const std::string text = i < nodes.size() ? item_text(state_->document, *node, nodes[i]) : "";
    auto object = text.empty() ? Result<Object>(from_value(item)) : parse(text);
    objects.push_back(object && same_value(object->value(), item) ? *std::move(object)
                                                                  : from_value(item));
  }
  return objects;
}

Result<Object> Object::map_at(const Path& path) const {
  const json::Value* map = &value();
  for (const Step& step : path) {
    const auto* name = std::get_if<std::string>(&step);
    map = name != nullptr ? &(*map)[*name] : &(*map)[std::get<std::size_t>(step)];
  }
  if (!map->is_object()) return not_found("not a map").in(path_text(path));
  const yaml::Document& document = state_->document;
  if (const auto node = find_node(document, path);
      node && document[*node].kind == yaml::Kind::kMap) {
    yaml::Tree tree = yaml::Tree::map();
    std::string scratch;
    for (const MapMember& member : map_members(document, *node))
      tree.add(std::string(key_text(document, member.key, scratch)),
               yaml::Tree::copy(document, member.value, *node, member.key));
    auto object = parse(yaml::print(tree, yaml::layout_of(document)));
    if (object && same_value(object->value(), *map)) return object;
  }
  return from_value(*map);
}

}  // namespace portico::krm
