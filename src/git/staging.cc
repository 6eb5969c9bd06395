#include "git/staging.h"

#include <zlib.h>

#include <cassert>

namespace portico::git {
namespace {

// Type and size in the variable-length encoding of packs.
std::string entry_header(ObjectType type, std::size_t size) {
  std::string out;
  auto byte = static_cast<unsigned char>(static_cast<unsigned>(type) << 4 | (size & 15));
  size >>= 4;
  while (size > 0) {
    out += static_cast<char>(byte | 0x80);
    byte = static_cast<unsigned char>(size & 0x7f);
    size >>= 7;
  }
  out += static_cast<char>(byte);
  return out;
}

}  // namespace

Oid Staging::add(ObjectType type, std::string_view bytes) {
  const Oid id = object_id(type, bytes);
  add(id, type, bytes);
  return id;
}

void Staging::add(const Oid& id, ObjectType type, std::string_view bytes) {
  if (index_.contains(id)) return;
  auto object = std::make_shared<StagedObject>();
  object->id = id;
  object->type = type;
  if (type != ObjectType::kBlob) object->raw = std::string(bytes);
  object->packed = entry_header(type, bytes.size());
  const std::size_t start = object->packed.size();
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  object->packed.resize(start + size);
  // Level 1: drafts are written often and read seldom; `git repack` recompresses what is kept.
  [[maybe_unused]] const int status =
      compress2(reinterpret_cast<Bytef*>(object->packed.data() + start), &size,
                reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uLong>(bytes.size()), 1);
  assert(status == Z_OK);  // the buffer has the size from compressBound()
  object->packed.resize(start + size);
  object->packed.shrink_to_fit();
  object->crc = static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(object->packed.data()), object->packed.size()));
  index_.emplace(id, objects_.size());
  objects_.push_back(std::move(object));
}

const StagedObject* Staging::find(const Oid& id) const {
  const auto at = index_.find(id);
  return at == index_.end() ? nullptr : objects_[at->second].get();
}

void Staging::merge(const Staging& other) {
  for (const auto& object : other.objects_)
    if (index_.emplace(object->id, objects_.size()).second) objects_.push_back(object);
}

void Staging::truncate(std::size_t count) {
  while (objects_.size() > count) {
    index_.erase(objects_.back()->id);
    objects_.pop_back();
  }
}

}  // namespace portico::git
