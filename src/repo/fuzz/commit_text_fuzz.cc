// Parses untrusted commit messages, and names from untrusted refs.
#include <cstdlib>
#include <string>
#include <string_view>

#include "repo/commit_text.h"
#include "repo/names.h"

using namespace portico;  // NOLINT: a program of one function

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  (void)repo::annotations_of(text);
  (void)repo::trailers_of(text);
  (void)repo::revision_of_tag(text);
  (void)repo::clean_directory(text);
  // For any input text, exactly one annotation and the given trailers are read back.
  repo::Message message;
  message.subject = text;
  message.body = text;
  message.variant = "ns/name";
  const auto written = repo::commit_text(message, "a/b", "w", 3);
  if (!written) std::abort();
  const auto notes = repo::annotations_of(*written);
  const repo::Trailers trailers = repo::trailers_of(*written);
  if (trailers.variant != "ns/name" || !trailers.variant_set.empty()) std::abort();
  if (notes.empty() || notes.back().package != "a/b" || notes.back().workspace != "w") std::abort();
  return 0;
}
