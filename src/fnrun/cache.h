// A content-addressed cache of function results: variants of one package request the same ones.
#pragma once

#include <cstddef>
#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/guarded.h"
#include "render/function_runner.h"

namespace portico::fnrun {

/// The KRM functions specification requires the same output for the same input. So successful
/// results are cached under a digest of function, config and resources. The function is identified
/// by an image with a digest or a fixed tag (not "latest", "unstable" or a constraint), or for a
/// program by inode, size and time of each file that its command names. Anything else, and
/// failures, run again. Two concurrent requests for the same result both run. Thread-safe.
class ResultCache {
 public:
  /// Caches at most `bytes` of input and output text, 0 disables it; evicts the least recently
  /// used.
  explicit ResultCache(std::size_t bytes) : limit_(bytes) {}

  /// Returns the cached result, or that of `runner`. `where` distinguishes runners with the same
  /// functions.
  Result<render::FunctionOutcome> run(const render::FunctionRunner& runner, std::string_view where,
                                      const render::FunctionRef& function,
                                      krm::ResourceList input) const;

  struct Counts {
    std::size_t hits = 0, misses = 0, entries = 0, bytes = 0;
  };
  Counts counts() const;

 private:
  struct Entry {
    std::string key;
    render::FunctionOutcome outcome;
    std::size_t bytes = 0;
  };
  struct Kept {
    std::list<Entry> by_age;  // newest first
    std::unordered_map<std::string, std::list<Entry>::iterator> by_key;
    Counts counts;
  };

  std::optional<render::FunctionOutcome> find(const std::string& key) const;
  void keep(const std::string& key, const render::FunctionOutcome& outcome,
            std::size_t bytes) const;

  const std::size_t limit_;
  mutable Guarded<Kept> kept_;
};

}  // namespace portico::fnrun
