// Parses loose objects, pack indexes, trees, commits, tags and packed-refs from untrusted
// repositories.
#include <cstdlib>
#include <string_view>

#include "git/internal/loose_objects.h"
#include "git/internal/pack_index.h"
#include "git/internal/packed_refs.h"
#include "git/object.h"
#include "git/ref_name.h"
#include "git/remote.h"

using namespace portico;  // NOLINT: a program of one function

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto tree = git::parse_tree(text)) {
    for (const git::TreeEntry& entry : *tree)
      if (!git::find_in_tree(text, entry.name)) std::abort();
    const auto same = git::diff_trees(text, text);
    if (!same || !same->empty()) std::abort();
    const auto all = git::diff_trees("", text);
    if (!all || all->size() != tree->size()) std::abort();
  }
  if (const auto commit = git::parse_commit(text)) {
    // A commit survives encoding and parsing unchanged.
    const auto back = git::parse_commit(git::encode_commit(*commit));
    if (!back || back->tree != commit->tree || back->parents != commit->parents) std::abort();
  }
  if (const auto packed = git::parse_packed_refs(text)) {
    const auto back = git::parse_packed_refs(git::print_packed_refs(*packed));
    if (!back || back->refs != packed->refs) std::abort();
  }
  // Usually the empty blob, but any input is tried.
  const git::Oid empty = git::object_id(git::ObjectType::kBlob, "");
  if (const auto loose = git::parse_loose_object(text, empty, 1u << 20))
    if (!loose->bytes.empty()) std::abort();
  if (const auto index = git::PackIndex::parse(std::string(text), "x.idx")) {
    for (const git::Oid& id : (*index)->find(empty.hex().substr(0, 2)))
      if (!(*index)->has(id) && (*index)->is_whole()) std::abort();
  }
  (void)git::parse_tag_target(text);
  (void)git::check_ref_name(text);
  (void)git::parse_remote(std::string(text));
  return 0;
}
