// The continue token of a list that was cut at its limit.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "krm/meta.h"
#include "registry/registry.h"

namespace portico::registry {

struct PageToken {
  ResourceVersion version = 0;  // of the state that all pages show
  krm::ObjectKey last;          // the last object of the previous page
  bool operator==(const PageToken&) const = default;

  /// Opaque to clients; needs no escaping in a URL path.
  std::string text() const;
};

/// The inverse of text(). kInvalid, Reason::kBadRequest, for anything else.
Result<PageToken> parse_page_token(std::string_view text);

}  // namespace portico::registry
