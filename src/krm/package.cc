#include "krm/package.h"

#include <atomic>

#include "krm/object.h"

namespace portico::krm {

/// Empty until first used. Two concurrent first users both parse, and the first result is kept;
/// both results are the same.
struct File::Reading {
  using Objects = Result<std::vector<Object>>;
  mutable std::atomic<const Objects*> objects{nullptr};

  Reading() = default;
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;
  ~Reading() { delete objects.load(std::memory_order_acquire); }

  const Objects& of(const std::string& text) const {
    if (const Objects* known = objects.load(std::memory_order_acquire)) return *known;
    auto fresh = std::make_unique<const Objects>(Object::parse_file(text));
    const Objects* first = nullptr;
    if (objects.compare_exchange_strong(first, fresh.get(), std::memory_order_acq_rel))
      return *fresh.release();
    return *first;
  }
};

File::File(std::shared_ptr<const std::string> bytes, FileMode file_mode)
    : mode(file_mode), bytes_(std::move(bytes)), reading_(std::make_shared<const Reading>()) {}

Result<std::vector<Object>> File::objects() const { return reading_->of(*bytes_); }

Result<Object> File::object() const {
  const auto& objects = reading_->of(*bytes_);
  if (!objects) return objects.error();
  if (objects->size() != 1) return invalid("found {} documents, expected one", objects->size());
  return objects->front();
}

Package unread(const Package& package) {
  Package copy;
  for (const auto& [path, file] : package.files) copy.files.emplace(path, file.unread());
  return copy;
}

}  // namespace portico::krm
