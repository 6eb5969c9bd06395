#include "merge/merge_key.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "merge/internal/edits.h"

namespace portico::merge {
namespace {

constexpr std::string_view kMark = "kpt-merge:";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t#");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// Reads namespace and name from the comment; false if the comment is not a merge key.
bool read_mark(std::string_view comment, krm::ResourceId& id) {
  std::string_view text = trimmed(comment);
  if (!text.starts_with(kMark)) return false;
  text = trimmed(text.substr(kMark.size()));
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return false;
  id.ns = text.substr(0, slash);
  id.name = text.substr(slash + 1);
  return true;
}

/// Parses "group|kind|namespace|name".
bool read_identifier(std::string_view text, krm::ResourceId& id) {
  const std::size_t last = text.rfind('|');
  if (last == std::string_view::npos || last == 0) return false;
  const std::size_t before = text.rfind('|', last - 1);
  if (before == std::string_view::npos) return false;
  const std::string_view ns = text.substr(before + 1, last - before - 1);
  id.ns = ns == "default" ? std::string_view() : ns;
  id.name = text.substr(last + 1);
  return true;
}

/// Whether the name can be written verbatim in a comment and in single quotes: every name that
/// Kubernetes allows can.
bool is_writable(std::string_view name) {
  return std::all_of(name.begin(), name.end(),
                     [](char c) { return c > ' ' && c <= '~' && c != '\''; });
}

bool is_file_with_keys(std::string_view path) {
  return path.ends_with(".yaml") || path.ends_with(".yml");
}

}  // namespace

krm::ResourceId upstream_identity(const krm::Object& object) {
  if (!object.is_krm()) return {};
  krm::ResourceId id = object.id();
  if (read_mark(object.line_comment({"metadata"}), id)) return id;
  if (const auto text = object.annotation(kUpstreamIdentifier)) read_identifier(*text, id);
  return id;
}

Result<Done> add_merge_key(krm::Object& object) {
  if (!object.is_krm() || object.value()["metadata"].empty()) return Done{};
  const krm::ResourceId id = upstream_identity(object);
  if (!is_writable(id.ns) || !is_writable(id.name)) return Done{};
  if (object.line_comment({"metadata"}).empty() && !object.annotation(kUpstreamIdentifier))
    PORTICO_DO(
        object.set_line_comment({"metadata"}, fmt::format("# {} {}/{}", kMark, id.ns, id.name)));
  if (object.annotation(kUpstreamIdentifier)) return Done{};
  // Copied from text, so that it is quoted as kpt quotes it.
  PORTICO_TRY(const krm::Object source,
              krm::Object::parse(fmt::format("id: '{}|{}|{}|{}'\n", id.group, id.kind,
                                             id.ns.empty() ? "default" : id.ns, id.name)));
  krm::Edit edit = internal::copy(krm::Edit::Verb::kSet,
                                  {"metadata", "annotations", kUpstreamIdentifier}, {"id"});
  edit.from = &source;
  return object.edit({edit});
}

Result<Done> copy_merge_key(krm::Object& object, const krm::Object& from) {
  if (!object.is_krm() || !from.is_krm() || !object.value()["metadata"].is_object()) return Done{};
  krm::ResourceId mark;
  const std::string comment = from.line_comment({"metadata"});
  if (object.line_comment({"metadata"}).empty() && read_mark(comment, mark))
    PORTICO_DO(object.set_line_comment({"metadata"}, comment));
  const krm::Path path = {"metadata", "annotations", kUpstreamIdentifier};
  if (object.annotation(kUpstreamIdentifier) || !from.annotation(kUpstreamIdentifier))
    return Done{};
  krm::Edit edit = internal::copy(krm::Edit::Verb::kSet, path, path);
  edit.from = &from;
  return object.edit({edit});
}

Result<krm::Package> with_merge_keys(const krm::Package& package) {
  krm::Package marked = package;
  for (auto& [path, file] : marked.files) {
    if (!is_file_with_keys(path) || file.mode == krm::FileMode::kSymlink) continue;
    auto objects = file.objects();
    if (!objects) continue;
    bool marked_one = false;
    for (krm::Object& object : *objects) {
      const krm::Object before = object;
      PORTICO_DO(add_merge_key(object), path);
      marked_one |= !(object == before);
    }
    if (marked_one) file = krm::File(krm::Object::join_file(*objects), file.mode);
  }
  return marked;
}

Result<krm::Package> with_all_merge_keys(const krm::Package& package) {
  PORTICO_TRY(krm::Package marked, with_merge_keys(package));
  for (auto& [path, file] : marked.files) {
    if (!is_resource_file(path) || is_file_with_keys(path)) continue;
    PORTICO_TRY(krm::Object kptfile, file.object(), path);
    const krm::Object before = kptfile;
    PORTICO_DO(add_merge_key(kptfile), path);
    if (!(kptfile == before)) file = krm::File(std::string(kptfile.text()), file.mode);
  }
  return marked;
}

bool is_resource_file(std::string_view path) {
  return is_file_with_keys(path) || path == "Kptfile" || path.ends_with("/Kptfile");
}

}  // namespace portico::merge
