// Objects as they are sent to clients: lists, tables, partial metadata. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "kubeapi/accept.h"
#include "kubeapi/resource_type.h"

namespace portico::kubeapi {

/// The metadata of a list (metav1.ListMeta).
struct ListMeta {
  std::string version;         // resourceVersion; "": none
  std::string continue_token;  // "": this was the last page
  std::optional<std::size_t> remaining;
};

/// Which part of an object is included in its table row.
enum class IncludeObject { kNone, kMetadata, kObject };
/// Parses the query parameter `includeObject`; 400 for an unknown value.
StatusOr<IncludeObject> include_object(std::string_view parameter);

/// The apiVersion of objects of the type: "group/version" or "v1".
std::string api_version(const ResourceType& type, std::string_view version);

/// The object converted to a version of its kind. As in Kubernetes, 500 if the conversion fails;
/// the message names the field that the version cannot represent.
StatusOr<json::Value> at_version(const json::Value& object, const ResourceType& type,
                                 std::string_view version);

/// One object in the requested form. 406 if a list form was requested.
StatusOr<json::Value> object_answer(const json::Value& object, const ResourceType& type,
                                    const Version& version, const Form& form, IncludeObject include,
                                    std::string_view now);
/// A list of objects, which are already in `version`.
StatusOr<json::Value> list_answer(const std::vector<json::Value>& objects, const ListMeta& meta,
                                  const ResourceType& type, const Version& version,
                                  const Form& form, IncludeObject include, std::string_view now);

/// The apiVersion, kind and metadata of an object as PartialObjectMetadata.
json::Value partial_metadata(const json::Value& object, std::string_view version);

}  // namespace portico::kubeapi
