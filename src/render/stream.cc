#include "render/stream.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

#include "render/internal/answer.h"
#include "render/internal/paths.h"
#include "render/internal/pipeline_run.h"
#include "render/internal/tree.h"

namespace portico::render {

namespace {

constexpr std::string_view kPrefix = "config.kubernetes.io/";
constexpr std::string_view kInternal = "internal.config.kubernetes.io/";
constexpr const char* kId = "internal.config.kubernetes.io/id";
constexpr const char* kOldId = "config.k8s.io/id";
constexpr const char* kIndent = "internal.config.kubernetes.io/seqindent";
constexpr std::array kTravelling = std::to_array<const char*>(
    {"config.kubernetes.io/index", "config.kubernetes.io/path",
     "internal.config.kubernetes.io/index", "internal.config.kubernetes.io/package-path",
     "internal.config.kubernetes.io/path", "internal.config.kubernetes.io/seqindent",
     "internal.config.kubernetes.io/annotations-migration-resource-id", kOldId, kId,
     "internal.config.kubernetes.io/kpt-resource-id"});

std::string_view line_at(std::string_view text, std::size_t& at) {
  const std::size_t end = std::min(text.find('\n', at), text.size());
  std::string_view line = text.substr(at, end - at);
  at = end + 1;
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

/// Restores wide lists that became compact in transit.
krm::Lists lists_of(const krm::Object& object) {
  return object.annotation(kIndent) == "wide" ? krm::Lists::kWide : krm::Lists::kKeep;
}

std::string quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("''") : std::string(1, c);
  return out + "'";
}

/// Sets annotations in single quotes, like kpt.
Result<Done> annotate(krm::Object& object,
                      const std::vector<std::pair<std::string, std::string>>& annotations) {
  std::string text;
  for (const auto& [key, value] : annotations) text += key + ": " + quoted(value) + "\n";
  const auto source = krm::Object::parse(text);
  std::vector<krm::Edit> edits;
  for (const auto& [key, value] : annotations) {
    if (object.value()["metadata"]["annotations"][key].as_string() == value) continue;
    krm::Edit edit;
    edit.path = {"metadata", "annotations", key};
    // Single quotes only fail for characters that no file name can contain.
    if (source) {
      edit.from = &*source;
      edit.from_path = {key};
    } else {
      edit.value = value;
    }
    edits.push_back(std::move(edit));
  }
  return object.edit(edits);
}

std::vector<std::pair<std::string, std::string>> place_of(const krm::Item& item) {
  const std::string index = std::to_string(std::max(item.index, 0));
  const char* lists = item.object.has_wide_lists() ? "wide" : "compact";
  return {{std::string(kPrefix) + "index", index},
          {std::string(kPrefix) + "path", item.file},
          {std::string(kInternal) + "index", index},
          {std::string(kInternal) + "path", item.file},
          // The list may have become compact in transit; keep the original width.
          {kIndent, item.object.annotation(kIndent).value_or(lists)}};
}

/// The lines below a key or after a dash, at `column`.
std::string indented(const krm::Object& whole, std::size_t column) {
  const krm::Object object = whole.relaid(krm::Lists::kCompact);
  const std::string_view text = object.text();
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view line = line_at(text, at);
    if (!line.empty()) out.append(out.empty() ? 0 : column, ' ').append(line);
    out += '\n';
  }
  return out;
}

/// An item with its dash; comments at its head are before or after the dash.
std::string item_text(const krm::Object& object, HeadComments comments) {
  std::string inside = "- " + indented(object, 2);
  if (comments == HeadComments::kInside || !inside.starts_with("- #")) return inside;
  std::string out;
  std::size_t at = 2;
  while (inside.compare(at, 1, "#") == 0 || inside.compare(at, 1, "\n") == 0) {
    out += line_at(inside, at);
    out += '\n';
    at = std::min(inside.find_first_not_of(' ', at), inside.size());
  }
  return at == inside.size() ? inside : out + "- " + inside.substr(at);
}

std::string stream_text(const std::vector<krm::Item>& items,
                        const std::optional<krm::Object>& config, HeadComments comments) {
  std::string out = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:";
  if (items.empty()) out += " []";
  out += '\n';
  for (const krm::Item& item : items) out += item_text(item.object, comments);
  if (config) out += "functionConfig:\n  " + indented(*config, 2);
  return out;
}

bool is_same(const std::string& text, const std::vector<krm::Item>& items,
             const std::optional<krm::Object>& config) {
  const auto list = krm::Object::parse(text);
  if (!list || list->value()["items"].size() != items.size()) return false;
  for (std::size_t i = 0; i < items.size(); ++i)
    if (list->value()["items"][i] != items[i].object.value()) return false;
  return !config || list->value()["functionConfig"] == config->value();
}

Result<int> read_index(const krm::Object& object, const std::string& key) {
  const auto text = object.annotation(key);
  if (!text || text->empty()) return -1;
  int index = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), index);
  if (error != std::errc() || end != text->data() + text->size() || index < 0)
    return invalid("annotation {} is not a number: \"{}\"", key, *text);
  return index;
}

struct Place {
  std::string path, index;
  bool operator==(const Place&) const = default;
};

Place family(const krm::Object& object, std::string_view prefix) {
  const std::string p(prefix);
  return {object.annotation(p + "path").value_or(""), object.annotation(p + "index").value_or("")};
}

/// Accepts a change in either family; if both changed, they must agree.
Result<Done> read_place(krm::Item& item, const krm::Item* before) {
  const Place old = family(item.object, kPrefix), now = family(item.object, kInternal);
  const auto choose = [&](const std::string& legacy, const std::string& internal_one,
                          const std::string& was, std::string_view what) -> Result<std::string> {
    if (legacy == internal_one || legacy.empty()) return internal_one;
    if (internal_one.empty()) return legacy;
    if (before != nullptr && internal_one == was) return legacy;
    if (before != nullptr && legacy == was) return internal_one;
    return invalid("resource input to function has mismatched legacy and internal {} annotations",
                   what);
  };
  PORTICO_TRY(item.file, choose(old.path, now.path, before ? before->file : "", "path"));
  const std::string was = before ? std::to_string(std::max(before->index, 0)) : "";
  PORTICO_TRY(const std::string index, choose(old.index, now.index, was, "index"));
  PORTICO_TRY(item.index, read_index(item.object, (index == now.index ? std::string(kInternal)
                                                                      : std::string(kPrefix)) +
                                                      "index"));
  return Done{};
}

std::string text_of(const json::Value& value) {
  return value.is_string() ? std::string(value.as_string()) : "";
}

krm::FunctionResult read_result(const json::Value& value) {
  krm::FunctionResult result;
  result.message = text_of(value["message"]);
  result.severity = text_of(value["severity"]);
  if (const json::Value& ref = value["resourceRef"]; ref.is_object()) {
    const json::Value& named = ref["metadata"].is_object() ? ref["metadata"] : ref;
    result.resource = krm::ResourceRef{text_of(ref["apiVersion"]), text_of(ref["kind"]),
                                       text_of(named["namespace"]), text_of(named["name"])};
  }
  result.field_path = text_of(value["field"]["path"]);
  result.file = text_of(value["file"]["path"]);
  result.index =
      static_cast<int>(std::clamp<std::int64_t>(value["file"]["index"].as_int(), 0, 1 << 30));
  return result;
}

/// The inverse of read_result.
json::Value written_result(const krm::FunctionResult& result) {
  const auto put = [](json::Value& to, const char* key, const std::string& text) {
    if (!text.empty()) to = to.with(key, json::Value(text));
  };
  json::Value out = json::Value::object({{"message", json::Value(result.message)}});
  put(out, "severity", result.severity);
  if (result.resource) {
    json::Value ref = json::Value::object({});
    put(ref, "apiVersion", result.resource->api_version);
    put(ref, "kind", result.resource->kind);
    put(ref, "namespace", result.resource->ns);
    put(ref, "name", result.resource->name);
    out = out.with("resourceRef", std::move(ref));
  }
  if (!result.field_path.empty())
    out = out.with("field", json::Value::object({{"path", json::Value(result.field_path)}}));
  if (!result.file.empty()) {
    json::Value file = json::Value::object({{"path", json::Value(result.file)}});
    if (result.index != 0) file = file.with("index", json::Value(std::int64_t{result.index}));
    out = out.with("file", std::move(file));
  }
  return out;
}

void visit_nodes(const json::Value& value, krm::Path& path,
                 const std::function<void(const krm::Path&)>& visit) {
  if (!path.empty()) visit(path);
  for (const json::Member& member : value.members()) {
    path.emplace_back(std::string(member.name()));
    visit_nodes(member.value, path, visit);
    path.pop_back();
  }
  for (std::size_t i = 0; i < value.items().size(); ++i) {
    path.emplace_back(i);
    visit_nodes(value.items()[i], path, visit);
    path.pop_back();
  }
}

/// `before` with the function's changes.
krm::Object adopted(const krm::Object& before, const krm::Object& answer) {
  krm::Object object = before;
  if (!object.update(answer.value())) return answer;
  if (answer.text().find('#') == std::string::npos) return object;
  krm::Path path;
  visit_nodes(answer.value(), path, [&](const krm::Path& at) {
    const std::string comment = answer.line_comment(at);
    if (comment.empty() || comment == object.line_comment(at)) return;
    // A comment that does not fit at the value is not worth failing for.
    static_cast<void>(object.set_line_comment(at, comment));
  });
  return object;
}

/// Lines of a flow collection may begin with tabs, as in JSON files; many YAML readers do not
/// support that.
bool has_tabs_in_front(const krm::Object& object) {
  return object.source({}).starts_with('{') && object.text().find("\n\t") != std::string::npos;
}

/// Restores an empty annotations map that was there before: it does not come from removed places.
void keep_empty_annotations(krm::Object& object, const krm::Object& before) {
  const json::Value* kept = before.value()["metadata"].find("annotations");
  if (kept == nullptr || !kept->empty()) return;
  if (!object.value()["metadata"].contains("annotations"))
    static_cast<void>(object.set({"metadata", "annotations"}, *kept));
}

/// Parses a stream without reading places.
Result<krm::ResourceList> parse_stream(std::string_view text) {
  PORTICO_TRY(const krm::Object list, krm::Object::parse(text));
  const json::Value& value = list.value();
  if (list.kind() != "ResourceList")
    return invalid("found kind \"{}\", expected ResourceList", list.kind());
  if (!value["items"].is_array() && !value["items"].is_null())
    return invalid("items of the ResourceList must be a list");
  krm::ResourceList result;
  for (std::size_t i = 0; i < value["items"].size(); ++i)
    if (!value["items"][i].is_object()) return invalid("items[{}] must be a map", i);
  for (krm::Object& object : list.items_at({"items"}))
    result.items.push_back({std::move(object), "", -1, "", -1});
  if (value["functionConfig"].is_object()) {
    PORTICO_TRY(result.function_config, list.map_at({"functionConfig"}));
  }
  const json::Value& results = value["results"];
  for (const json::Value& one : (results.is_object() ? results["items"] : results).items())
    result.results.push_back(read_result(one));
  return result;
}

}  // namespace

Result<std::vector<krm::Item>> with_places(std::vector<krm::Item> items) {
  for (krm::Item& item : items) {
    item.file = join_path(item.package, item.file);
    item.package.clear();
    PORTICO_DO(annotate(item.object, place_of(item)), item.file);
  }
  return items;
}

krm::Object without_place(krm::Object object, Ids ids) {
  const json::Value& annotations = object.value()["metadata"]["annotations"];
  const auto stays = [&](std::string_view key) {
    return !annotations.contains(key) || (ids == Ids::kKeep && (key == kId || key == kOldId));
  };
  std::vector<krm::Edit> edits;
  for (const char* key : kTravelling) {
    if (stays(key)) continue;
    krm::Edit edit;
    edit.verb = krm::Edit::Verb::kRemove;
    edit.path = {"metadata", "annotations", key};
    edits.push_back(std::move(edit));
  }
  const bool none_left = annotations.is_object() && annotations.size() == edits.size();
  krm::Path gone;
  if (none_left) gone = {"metadata", "annotations"};
  if (none_left && object.value()["metadata"].size() == 1) gone = {"metadata"};
  // If they cannot be removed from the text, remove them from the value.
  if (auto done = gone.empty() ? object.edit(edits) : object.remove(gone); !done) {
    json::Value value = object.value();
    for (const char* key : kTravelling)
      if (!stays(key)) value = value.without_at({"metadata", "annotations", key});
    return krm::Object::from_value(value);
  }
  return object;
}

Result<std::vector<krm::Item>> source(const krm::Package& package, const std::string& config_file) {
  PORTICO_TRY(Resources resources, read_all(package));
  if (!config_file.empty())
    std::erase_if(resources.items, [&](const krm::Item& item) { return item.file == config_file; });
  return with_places(std::move(resources.items));
}

Result<krm::Package> with_places(const krm::Package& package) {
  PORTICO_TRY(Resources resources, read_all(package));
  PORTICO_TRY(const auto items, with_places(std::move(resources.items)));
  return written(package, items, resources.originals, false);
}

std::string write_stream(const std::vector<krm::Item>& items,
                         const std::optional<krm::Object>& config, HeadComments comments) {
  std::string text = stream_text(items, config, comments);
  if (is_same(text, items, config)) return text;
  // A document may use syntax that cannot occur in a list.
  std::vector<krm::Item> plain = items;
  for (krm::Item& item : plain) item.object = krm::Object::from_value(item.object.value());
  std::optional<krm::Object> plain_config;
  if (config) plain_config = krm::Object::from_value(config->value());
  return stream_text(plain, plain_config, comments);
}

std::string write_stream(const krm::ResourceList& list) {
  std::string text = write_stream(list.items, list.function_config);
  if (list.results.empty()) return text;
  std::vector<json::Value> results;
  for (const krm::FunctionResult& result : list.results) results.push_back(written_result(result));
  const json::Value all =
      json::Value::object({{"results", json::Value::array(std::move(results))}});
  return text + krm::Object::from_value(all).text();
}

std::string write_unwrapped(const std::vector<krm::Item>& items) {
  std::vector<krm::Object> objects;
  for (const krm::Item& item : items)
    objects.push_back(without_place(item.object, Ids::kKeep).relaid(lists_of(item.object)));
  std::string text = krm::Object::join_file(objects);
  if (!text.empty() && text.back() != '\n') text += '\n';
  return text;
}

krm::Item with_travelling(krm::Item answer, const std::vector<krm::Item>& asked) {
  if (answer.origin < 0 || static_cast<std::size_t>(answer.origin) >= asked.size()) return answer;
  const krm::Object& before = asked[static_cast<std::size_t>(answer.origin)].object;
  for (const char* key : kTravelling) {
    const std::string_view name = key;
    std::optional<std::string> value = before.annotation(name);
    // kyaml uses both families of ids.
    if (name == kId && !value) value = before.annotation(kOldId);
    if (value && name.ends_with("/path")) value = answer.file;
    if (value && name.ends_with("/index")) value = std::to_string(answer.index);
    if (!value || answer.object.annotation(name) == value) continue;
    // Losing one that does not fit into the text does not harm the package.
    static_cast<void>(
        answer.object.set({"metadata", "annotations", key}, json::Value(*std::move(value))));
  }
  return answer;
}

Result<krm::ResourceList> read_stream(std::string_view text) {
  PORTICO_TRY(krm::ResourceList result, parse_stream(text));
  for (std::size_t i = 0; i < result.items.size(); ++i)
    PORTICO_DO(read_place(result.items[i], nullptr), fmt::format("items[{}]", i));
  return result;
}

HeadComments head_comments(std::string_view text) {
  const std::size_t items = text.find("\nitems:\n");
  if (items == std::string_view::npos) return HeadComments::kInside;
  return text.find("\n#", items) == std::string_view::npos ? HeadComments::kInside
                                                           : HeadComments::kInFront;
}

Result<krm::Package> sink(const std::vector<krm::Item>& items) {
  std::vector<krm::Item> placed;
  for (krm::Item item : items) {
    const krm::Lists lists = lists_of(item.object);
    item.object = without_place(std::move(item.object), Ids::kKeep);
    if (lists != krm::Lists::kKeep) item.object = item.object.relaid(lists);
    if (item.file.empty()) item.file = default_path(item.object, "");
    PORTICO_TRY(item.file, checked_path(item));
    placed.push_back(std::move(item));
  }
  return written({}, placed, {}, false);
}

Result<std::string> function_input_text(const krm::ResourceList& input) {
  std::vector<krm::Item> items = input.items;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (has_tabs_in_front(items[i].object))
      items[i].object = krm::Object::from_value(items[i].object.value());
    auto annotations = place_of(items[i]);
    const std::string number = std::to_string(i + 1);
    annotations.emplace_back(std::string(kInternal) + "annotations-migration-resource-id",
                             std::to_string(i));
    annotations.emplace_back(kId, number);
    annotations.emplace_back(kOldId, number);
    PORTICO_DO(annotate(items[i].object, annotations), items[i].file);
  }
  return write_stream(items, input.function_config);
}

Result<krm::ResourceList> function_output(std::string_view text, const krm::ResourceList& input) {
  PORTICO_TRY(krm::ResourceList output, parse_stream(text));
  for (krm::Item& item : output.items) {
    const std::string id =
        item.object.annotation(kId).value_or(item.object.annotation(kOldId).value_or(""));
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(id.data(), id.data() + id.size(), number);
    const bool known = error == std::errc() && end == id.data() + id.size() && number >= 1 &&
                       number <= input.items.size();
    const krm::Item* before = known ? &input.items[number - 1] : nullptr;
    PORTICO_DO(read_place(item, before), std::string(item.object.name()));
    item.object = without_place(std::move(item.object));
    if (before == nullptr) continue;
    keep_empty_annotations(item.object, before->object);
    item.origin = before->origin;
    item.package = before->package;
    item.object = adopted(before->object, item.object);
  }
  return output;
}

}  // namespace portico::render
