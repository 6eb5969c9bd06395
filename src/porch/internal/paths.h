// Paths of the API that a Portico server adds to Kubernetes.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "http/escape.h"

namespace portico::porch {

/// "/apis/portico.dev/v1/namespaces/NS/PART/...", escaped.
inline std::string portico_path(const std::string& ns,
                                std::initializer_list<std::string_view> parts) {
  std::string out = "/apis/portico.dev/v1/namespaces/" + http::percent_encode(ns);
  for (const std::string_view part : parts) out += "/" + http::percent_encode(part);
  return out;
}

}  // namespace portico::porch
