// Objects as clients get them: lists, tables, metadata alone. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "kubeapi/accept.h"
#include "kubeapi/resource_type.h"

namespace portico::kubeapi {

/// What is in metadata of a list (metav1.ListMeta).
struct ListMeta {
  std::string version;         // resourceVersion; "" where there is none
  std::string continue_token;  // "": this was the last page
  std::optional<std::size_t> remaining;
};

/// Which part of an object goes with its row of a table.
enum class IncludeObject { kNone, kMetadata, kObject };
/// Of the query's parameter `includeObject`: 400 for another word.
Reply<IncludeObject> include_object(std::string_view parameter);

/// "group/version", "v1": what objects of the type have as apiVersion.
std::string api_version(const ResourceType& type, std::string_view version);

/// As it is asked for at a version of its kind. 500, as Kubernetes answers where a conversion
/// fails, with the field that has no place in that version.
Reply<json::Value> at_version(const json::Value& object, const ResourceType& type,
                              std::string_view version);

/// One object in the form. 406 where a list was asked for.
Reply<json::Value> object_answer(const json::Value& object, const ResourceType& type,
                                 const Version& version, const Form& form, IncludeObject include,
                                 std::string_view now);
/// A list of objects, which are at their version already.
Reply<json::Value> list_answer(const std::vector<json::Value>& objects, const ListMeta& meta,
                               const ResourceType& type, const Version& version, const Form& form,
                               IncludeObject include, std::string_view now);

/// An object's apiVersion, kind and metadata as PartialObjectMetadata.
json::Value partial_metadata(const json::Value& object, std::string_view version);

}  // namespace portico::kubeapi
