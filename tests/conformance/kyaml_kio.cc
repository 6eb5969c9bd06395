// ../shared/conformance/kyaml-kio: reading and writing resources as kyaml does.
#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "conformance/suite.h"
#include "conformance/support.h"
#include "folder/folder.h"
#include "json/text.h"
#include "krm/object.h"
#include "krm/resource_list.h"
#include "render/stream.h"
#include "repo/names.h"
#include "testing/cases.h"

namespace portico::conformance {
namespace {

namespace fs = std::filesystem;
using json::Value;
using krm::Object;

struct Kio {
  std::string name;
  fs::path folder;
  Value info;

  const Value& option(std::string_view field) const { return info["options"][field]; }
  std::string file(const Value& path) const {
    return read_file_or_empty(folder / std::string(path.as_string()));
  }
};

std::vector<std::string> comments_of(std::string_view text) {
  std::vector<std::string> comments;
  for (std::size_t at = text.find('#'); at != std::string_view::npos; at = text.find('#', at)) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (at == 0 || text[at - 1] == ' ' || text[at - 1] == '\n')
      comments.emplace_back(trimmed(text.substr(at, end - at)));
    at = end;
  }
  return comments;
}

/// Equal text, or equal documents with equal comments: kyaml reprints everything, Portico only what
/// must change.
bool same_stream(std::string_view want, std::string_view have) {
  if (trimmed(want) == trimmed(have)) return true;
  const auto wanted = Object::parse_file(want), got = Object::parse_file(have);
  if (!wanted || !got || comments_of(want) != comments_of(have)) return false;
  return std::equal(wanted->begin(), wanted->end(), got->begin(), got->end(),
                    [](const Object& a, const Object& b) { return a.value() == b.value(); });
}

CaseResult compare_streams(const Kio& kio, std::string_view want, std::string_view have) {
  if (same_stream(want, have)) return passed(kio.name);
  return failed(kio.name, difference(trimmed(want), trimmed(have)));
}

CaseResult compare_error(const Kio& kio, const Error& error) {
  const Value& expected = kio.info["expectedError"];
  if (expected.is_null()) return failed(kio.name, error.text() + "\n");
  const std::string text = error.text();
  if (kio.info["compareError"].as_string() == "any" ||
      text.find(expected.as_string()) != std::string::npos)
    return passed(kio.name);
  return failed(kio.name, difference(std::string(expected.as_string()) + "\n", text + "\n"));
}

/// The content of a stream: documents, also from within a ResourceList or List.
struct Read {
  std::vector<Object> objects;
  std::optional<Object> config;
  std::string api_version, kind;  // of the wrapper
  bool wrapped = false;
};

Result<Read> read(std::string_view text) {
  PORTICO_TRY(std::vector<Object> objects, Object::parse_file(text));
  Read out;
  if (objects.size() == 1 && objects.front().kind() == "ResourceList") {
    PORTICO_TRY(krm::ResourceList list, render::read_stream(text));
    for (krm::Item& item : list.items) out.objects.push_back(std::move(item.object));
    out.config = std::move(list.function_config);
    out.wrapped = true;
  } else if (objects.size() == 1 && objects.front().kind() == "List" &&
             objects.front().value()["items"].is_array()) {
    out.objects = objects.front().items_at({"items"});
    out.wrapped = true;
  }
  if (out.wrapped) {
    out.api_version = objects.front().api_version();
    out.kind = objects.front().kind();
  } else {
    out.objects = std::move(objects);
  }
  return out;
}

/// kyaml's reader adds only the index, because there are no paths.
Result<Done> add_indexes(std::vector<Object>& objects) {
  std::vector<krm::Item> items;
  for (std::size_t i = 0; i < objects.size(); ++i)
    items.push_back({objects[i], "", static_cast<int>(i), "", -1});
  PORTICO_TRY(items, render::with_places(std::move(items)));
  for (std::size_t i = 0; i < objects.size(); ++i) {
    objects[i] = std::move(items[i].object);
    for (const char* unused : {"config.kubernetes.io/path", "internal.config.kubernetes.io/path",
                               "internal.config.kubernetes.io/seqindent"})
      PORTICO_DO(objects[i].remove({"metadata", "annotations", unused}));
  }
  return Done{};
}

CaseResult run_reader(const Kio& kio) {
  auto found = read(kio.file(kio.info["inputs"]["input"]));
  if (!found) return compare_error(kio, found.error());
  if (!kio.info["expectedError"].is_null()) return failed(kio.name, "no error\n");
  const Value& annotation = kio.info["expectedAnnotation"];
  if (!annotation.is_null()) {
    auto placed =
        render::with_places(std::vector<krm::Item>{{found->objects.front(), "a.yaml", 0, "", -1}});
    if (!placed) return failed(kio.name, placed.error().text());
    const json::Member& want = annotation.members().front();
    return compare(kio.name, want.value.as_string(),
                   placed->front().object.annotation(want.name()).value_or(""));
  }
  if (!kio.option("omitReaderAnnotations").as_bool() && !found->wrapped)
    if (auto done = add_indexes(found->objects); !done)
      return failed(kio.name, done.error().text());
  for (const json::Member& member : kio.option("setAnnotations").members())
    for (Object& object : found->objects)
      if (auto done =
              object.set({"metadata", "annotations", std::string(member.name())}, member.value);
          !done)
        return failed(kio.name, done.error().text());
  const Value& expected = kio.info["expectedItems"];
  if (expected.size() != found->objects.size())
    return failed(kio.name, std::to_string(found->objects.size()) + " items\n");
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const std::string want = kio.file(expected[i]);
    if (!same_stream(want, found->objects[i].text()))
      return failed(kio.name, difference(trimmed(want), trimmed(found->objects[i].text())));
  }
  if (const Value& config = kio.info["expectedFunctionConfig"]; config.is_string()) {
    const auto want = Object::parse(kio.file(config));
    if (!want || !found->config || found->config->value() != want->value())
      return failed(kio.name, "another function config\n");
  }
  for (const auto& [field, have] : {std::pair("expectedWrappingKind", found->kind),
                                    std::pair("expectedWrappingAPIVersion", found->api_version)})
    if (const Value& want = kio.info[field]; want.is_string() && want.as_string() != have)
      return failed(kio.name, std::string(field) + ": " + have + "\n");
  return passed(kio.name);
}

std::string wrapped(const Read& content) {
  std::vector<krm::Item> items;
  for (const Object& object : content.objects) items.push_back({object, "", -1, "", -1});
  return render::write_stream(items, content.config, render::HeadComments::kInFront);
}

std::string written(const Kio& kio, const Read& content) {
  if (content.wrapped) return wrapped(content);
  if (kio.option("keepReaderAnnotations").as_bool()) return Object::join_file(content.objects);
  std::vector<krm::Item> items;
  for (const Object& object : content.objects) items.push_back({object, "", -1, "", -1});
  return render::write_unwrapped(items);
}

CaseResult run_read_writer(const Kio& kio) {
  auto content = read(kio.file(kio.info["inputs"]["input"]));
  if (!content) return compare_error(kio, content.error());
  const bool annotated = kio.option("keepReaderAnnotations").as_bool();
  if (annotated)
    if (auto done = add_indexes(content->objects); !done)
      return failed(kio.name, done.error().text());
  const bool no_wrap = kio.option("noWrap").as_bool() || kio.info["wrappingKindCleared"].as_bool();
  if (no_wrap) content->wrapped = false;
  if (kio.option("wrappingKind").as_string() == "ResourceList") content->wrapped = true;
  if (!kio.info["expectedError"].is_null()) return failed(kio.name, "no error\n");
  return compare_streams(kio, kio.file(kio.info["expected"]), written(kio, *content));
}

CaseResult run_writer(const Kio& kio) {
  Read content;
  for (const Value& path : kio.info["items"].items()) {
    auto object = Object::parse(kio.file(path));
    if (!object) return failed(kio.name, object.error().text());
    content.objects.push_back(*std::move(object));
  }
  if (kio.option("sort").as_bool()) {
    const auto place = [](const Object& object) {
      const Value& annotations = object.value()["metadata"]["annotations"];
      return std::tuple(std::string(annotations["internal.config.kubernetes.io/path"].as_string()),
                        annotations["internal.config.kubernetes.io/index"].as_int());
    };
    std::stable_sort(content.objects.begin(), content.objects.end(),
                     [&](const Object& a, const Object& b) { return place(a) < place(b); });
  }
  content.wrapped = kio.option("wrappingKind").as_string() == "ResourceList";
  if (const Value& config = kio.info["functionConfig"]; config.is_string()) {
    auto object = Object::parse(kio.file(config));
    if (!object) return failed(kio.name, object.error().text());
    content.config = *std::move(object);
  }
  // kyaml's writer keeps the path annotation: only the reader that added it removes it.
  return compare_streams(kio, kio.file(kio.info["expected"]),
                         content.wrapped ? wrapped(content) : Object::join_file(content.objects));
}

Result<Done> make_tree(const fs::path& root, const Value& entries) {
  for (const Value& entry : entries.items()) {
    const fs::path dir = root / std::string(entry["dir"].as_string());
    if (entry["dir"].is_string()) fs::create_directories(dir);
    if (entry["file"].is_string())
      PORTICO_DO(write_tree(root, {{std::string(entry["file"].as_string()),
                                    std::string(entry["content"].as_string())}}));
  }
  return Done{};
}

/// Copies a package by reading and writing it, without .git.
CaseResult run_copy(const Kio& kio) {
  const testing::TempDir work;
  const fs::path source = work.path() / "source", copy = work.path() / "copy",
                 want = work.path() / "want";
  for (const auto& [folder, tree] :
       {std::pair(source, "sourceTree"), std::pair(want, "expectedTree")})
    if (auto done = make_tree(folder, kio.info[tree]); !done)
      return failed(kio.name, done.error().text());
  auto package = folder::read(source.string());
  if (!package) return failed(kio.name, package.error().text());
  if (auto done = folder::change(copy.string(), {}, *package); !done)
    return failed(kio.name, done.error().text());
  return compare(kio.name, read_tree(want), read_tree(copy));
}

/// A package cannot contain git's own files: such a path is refused.
CaseResult run_git_folder(const Kio& kio) {
  std::string path(kio.info["path"].as_string());
  while (path.starts_with('/')) path.erase(0, 1);
  const bool refused = !repo::check_file_path(path);
  return compare(kio.name, json::print(kio.info["expected"]), json::print(Value(refused)));
}

CaseResult run_case(const std::string& name, const fs::path& folder) {
  auto text = read_file(folder / "case.yaml");
  if (!text) return failed(name, text.error().text());
  auto info = Object::parse(*text);
  if (!info) return failed(name, info.error().text());
  const Kio kio{name, folder, info->value()};
  const std::string_view op = kio.info["op"].as_string();
  if (op == "kio.ByteReader" || op == "kio.FromBytes") return run_reader(kio);
  if (op == "kio.ByteReadWriter") return run_read_writer(kio);
  if (op == "kio.ByteWriter") return run_writer(kio);
  if (op == "copyutil.CopyDir") return run_copy(kio);
  if (op == "copyutil.IsDotGitFolder") return run_git_folder(kio);
  if (op == "copyutil.Diff")
    return skipped(name, "compares folders, empty ones too; a package is a set of files");
  return failed(name, "unknown op \"" + std::string(op) + "\"");
}

}  // namespace

std::vector<CaseResult> run_kyaml_kio(const fs::path& data) { return each_case(data, run_case); }

}  // namespace portico::conformance
