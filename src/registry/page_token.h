// What a list that was cut at its limit goes on from.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "krm/meta.h"
#include "registry/registry.h"

namespace portico::registry {

struct PageToken {
  ResourceVersion version = 0;  // of the state that all pages are read from
  krm::ObjectKey last;          // the last object of the page before
  bool operator==(const PageToken&) const = default;

  /// For clients it has no meaning; no byte of it needs an escape in a URL's path.
  std::string text() const;
};

/// The inverse of text(). kInvalid, Reason::kBadRequest, for anything else.
Result<PageToken> parse_page_token(std::string_view text);

}  // namespace portico::registry
