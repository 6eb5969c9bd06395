#include "variants/revision.h"

namespace portico::variants {

namespace {

std::string_view without_prefix(std::string_view ref) {
  for (const std::string_view prefix : {"refs/heads/", "refs/tags/"})
    if (ref.starts_with(prefix)) return ref.substr(prefix.size());
  return ref;
}

std::string_view self_ref(const Revision& revision) {
  const auto& lock = revision.object->status.self_lock;
  return lock && lock->git ? without_prefix(lock->git->ref) : std::string_view();
}

}  // namespace

std::string_view ref_tail(const Revision& revision) {
  const std::string_view ref = self_ref(revision);
  if (ref.empty()) return revision.spec().workspace_name;
  const std::size_t slash = ref.rfind('/');
  return slash == std::string_view::npos ? ref : ref.substr(slash + 1);
}

bool is_branch_head(const Revision& revision) {
  if (revision.spec().revision != -1 && revision.spec().workspace_name != "main") return false;
  if (revision.spec().revision > 0) return false;
  const std::string_view ref = self_ref(revision);
  if (ref.empty()) return revision.spec().workspace_name == "main";
  return ref == revision.spec().workspace_name;
}

}  // namespace portico::variants
