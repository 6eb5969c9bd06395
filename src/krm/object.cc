#include "krm/object.h"

#include "krm/internal/decode.h"
#include "krm/internal/object_state.h"
#include "krm/internal/rewrite.h"
#include "krm/meta.h"
#include "yaml/comments.h"

namespace portico::krm {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

bool is_plain_name(std::string_view name) {
  if (name.empty()) return false;
  for (const char c : name)
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
          c == '-'))
      return false;
  return true;
}

bool uses_crlf(std::string_view text) {
  const std::size_t newline = text.find('\n');
  return newline != std::string_view::npos && newline > 0 && text[newline - 1] == '\r';
}

bool begins_with_separator(std::string_view text) {
  return text.starts_with("---") && (text.size() == 3 || text[3] == '\n' || text[3] == '\r' ||
                                     text[3] == ' ' || text[3] == '\t');
}

}  // namespace

std::string path_text(const Path& path) {
  std::string out;
  for (const Step& step : path) {
    if (const auto* index = std::get_if<std::size_t>(&step)) {
      out += "[" + std::to_string(*index) + "]";
    } else if (const auto& name = std::get<std::string>(step); is_plain_name(name)) {
      if (!out.empty()) out += ".";
      out += name;
    } else {
      out += "[\"" + name + "\"]";
    }
  }
  return out;
}

Result<std::vector<Object>> Object::parse_file(std::string_view text) {
  PORTICO_TRY(std::vector<yaml::StreamPart> parts, yaml::parse_stream(text));
  std::vector<Object> objects;
  objects.reserve(parts.size());
  for (yaml::StreamPart& part : parts) {
    auto state = std::make_shared<State>();
    PORTICO_TRY(state->value, decode(part.document));
    state->document = std::move(part.document);
    state->before = std::move(part.before);
    state->after = std::move(part.after);
    state->first_in_file = objects.empty();
    objects.push_back(Object(std::move(state)));
  }
  return objects;
}

std::string Object::join_file(const std::vector<Object>& objects) {
  std::string out;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const State& state = *objects[i].state_;
    const std::string& body = state.document.text();
    std::string_view before = state.before;
    if (i == 0) {
      if (state.first_in_file) out += before;
    } else {
      const char* newline = uses_crlf(body) ? "\r\n" : "\n";
      if (!out.empty() && out.back() != '\n' && out.back() != '\r') out += newline;
      if (state.first_in_file && before.starts_with(kByteOrderMark))
        before.remove_prefix(kByteOrderMark.size());
      // A new object, or one from the head of another file, may lack a separator.
      const bool separated =
          begins_with_separator(before.empty() ? std::string_view(body) : before);
      if (!separated && !objects[i - 1].state_->document.explicit_end())
        out += std::string("---") + newline;
      out += before;
    }
    out += body;
    out += state.after;
  }
  return out;
}

std::string_view Object::preamble() const {
  return state_->first_in_file ? std::string_view(state_->before) : std::string_view();
}

const yaml::Document& document_of(const Object& object) { return object.state_->document; }

Result<Object> Object::parse(std::string_view text) {
  PORTICO_TRY(std::vector<Object> objects, parse_file(text));
  if (objects.size() != 1) return invalid("found {} documents, expected one", objects.size());
  return std::move(objects.front());
}

bool Object::is_krm() const {
  const json::Value& object = value();
  return object["apiVersion"].is_string() && object["kind"].is_string();
}

std::string_view Object::api_version() const { return value()["apiVersion"].as_string(); }
std::string_view Object::kind() const { return value()["kind"].as_string(); }
std::string_view Object::name() const { return name_of(value()); }
std::string_view Object::ns() const { return namespace_of(value()); }

std::optional<std::string> Object::annotation(std::string_view key) const {
  const json::Value* found = value()["metadata"]["annotations"].find(key);
  if (found == nullptr || !found->is_string()) return std::nullopt;
  return std::string(found->as_string());
}

ResourceId Object::id() const {
  return {group_version(api_version()).group, std::string(kind()), std::string(ns()),
          std::string(name())};
}

const json::Value& Object::value() const { return state_->value; }
const std::string& Object::text() const { return state_->document.text(); }

namespace {

struct Visitor {
  const yaml::Document& document;
  const std::function<void(const ScalarRef&)>& visit;
  Path path;
  std::string scratch;

  void node(yaml::NodeId id) {
    const yaml::Node& node = document[id];
    switch (node.kind) {
      case yaml::Kind::kAlias:
        break;  // the target is visited where it is written
      case yaml::Kind::kScalar:
        scalar(id);
        break;
      case yaml::Kind::kMap:
        for (const MapMember& member : map_members(document, id)) {
          if (is_merge_key(document, member.key)) continue;
          path.emplace_back(std::string(key_text(document, member.key, scratch)));
          this->node(member.value);
          path.pop_back();
        }
        break;
      case yaml::Kind::kSeq: {
        std::size_t index = 0;
        for (const yaml::NodeId item : list_items(document, id)) {
          path.emplace_back(index++);
          this->node(item);
          path.pop_back();
        }
        break;
      }
    }
  }

  void scalar(yaml::NodeId id) {
    const json::Value value = scalar_value(document, id);
    const yaml::Span comment = yaml::line_comment(document, id);
    visit({path, document.source(id), value,
           std::string_view(document.text()).substr(comment.begin, comment.end - comment.begin)});
  }
};

}  // namespace

void Object::visit_scalars(const std::function<void(const ScalarRef&)>& visit) const {
  Visitor{state_->document, visit, {}, {}}.node(yaml::Document::root());
}

std::string_view Object::source(const Path& path) const {
  const auto node = find_node(state_->document, path);
  return node ? state_->document.source(*node) : std::string_view();
}

std::string Object::line_comment(const Path& path) const {
  const auto node = find_node(state_->document, path);
  if (!node) return "";
  const yaml::Span span = yaml::line_comment(state_->document, *node);
  return text().substr(span.begin, span.end - span.begin);
}

std::string Object::head_comment(const Path& path) const {
  const auto node = find_node(state_->document, path);
  if (!node || path.empty()) return "";
  const std::string_view whole = text();
  std::string comment;
  // The ':' or '-' before a value is on the line where its member or item begins.
  std::size_t line = whole.rfind('\n', state_->document[*node].lead);
  while (line != std::string_view::npos && line > 0) {
    const std::size_t break_before = whole.rfind('\n', line - 1);
    const std::size_t begin = break_before == std::string_view::npos ? 0 : break_before + 1;
    std::string_view above = whole.substr(begin, line - begin);
    const std::size_t first = above.find_first_not_of(" \t");
    if (first == std::string_view::npos || above[first] != '#') break;
    above.remove_prefix(first);
    if (above.ends_with('\r')) above.remove_suffix(1);
    comment = comment.empty() ? std::string(above) : std::string(above) + "\n" + comment;
    line = break_before;
  }
  return comment;
}

}  // namespace portico::krm
