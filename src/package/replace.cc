#include "package/replace.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "krm/object.h"
#include "package/internal/files.h"

namespace portico::package {
namespace {

/// Whether the text has more '#' than its values need.
bool has_comments(const krm::Object& object) {
  const std::string& text = object.text();
  if (text.find('#') == std::string::npos) return false;
  const std::string bare = krm::Object::from_value(object.value()).text();
  return std::count(text.begin(), text.end(), '#') > std::count(bare.begin(), bare.end(), '#');
}

std::map<krm::ResourceId, const krm::Object*> by_id(const std::vector<krm::Object>& objects) {
  std::map<krm::ResourceId, const krm::Object*> out;
  for (const krm::Object& object : objects)
    if (object.is_krm()) out.emplace(object.id(), &object);
  return out;
}

}  // namespace

Result<krm::Package> with_lost_comments(krm::Package sent, const krm::Package& stored) {
  for (auto& [path, file] : sent.files) {
    const krm::File* before = stored.find(path);
    if (before == nullptr || *before == file || !internal::is_resource_file(path) ||
        file.mode == krm::FileMode::kSymlink)
      continue;
    const auto old = before->objects();
    if (!old) continue;  // unparsable, so it has no comments to restore
    PORTICO_TRY(std::vector<krm::Object> objects, file.objects(), path);
    const auto known = by_id(*old);
    bool changed = false;
    for (krm::Object& object : objects) {
      const auto counterpart = object.is_krm() ? known.find(object.id()) : known.end();
      if (counterpart == known.end() || has_comments(object)) continue;
      if (!has_comments(*counterpart->second)) continue;
      krm::Object written = *counterpart->second;
      PORTICO_DO(written.update(object.value()), path);
      object = std::move(written);
      changed = true;
    }
    if (changed) file = krm::File(krm::Object::join_file(objects), file.mode);
  }
  return sent;
}

}  // namespace portico::package
