// Results of functions, kept by content: variants of one package ask for the same ones.
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

/// A function is to give the same answer to the same question (the KRM functions specification asks
/// for that), so what went well is kept under a digest of which function it was, its config and its
/// resources: an image with a digest or a tag that does not move (not "latest", "unstable" or a
/// constraint), a program by the size and time of each file that its command names. All else, and
/// what failed, runs again. Two threads that ask for the same at once both run it. Safe from any
/// thread.
class ResultCache {
 public:
  /// Keeps at most `bytes` of inputs' and outputs' text, 0 nothing; what was asked for longest ago
  /// goes first.
  explicit ResultCache(std::size_t bytes) : limit_(bytes) {}

  /// What `runner` gives, now or before. `where` tells runners with the same functions apart.
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
