// Tables of the structs that several kinds share.
#pragma once

#include "api/internal/codec.h"
#include "api/meta.h"
#include "api/pipeline.h"
#include "api/repository.h"
#include "api/retry.h"

namespace portico::api::internal {

PORTICO_API_TABLE(krm::OwnerReference, field("apiVersion", &krm::OwnerReference::api_version),
                  field("kind", &krm::OwnerReference::kind),
                  field("name", &krm::OwnerReference::name),
                  field("uid", &krm::OwnerReference::uid),
                  field("controller", &krm::OwnerReference::controller),
                  field("blockOwnerDeletion", &krm::OwnerReference::block_owner_deletion));

PORTICO_API_TABLE(
    ObjectMeta, field("name", &ObjectMeta::name), field("generateName", &ObjectMeta::generate_name),
    field("namespace", &ObjectMeta::ns), field("uid", &ObjectMeta::uid),
    field("resourceVersion", &ObjectMeta::resource_version),
    field("generation", &ObjectMeta::generation),
    field("creationTimestamp", &ObjectMeta::creation_timestamp),
    field("deletionTimestamp", &ObjectMeta::deletion_timestamp),
    field("labels", &ObjectMeta::labels), field("annotations", &ObjectMeta::annotations),
    field("finalizers", &ObjectMeta::finalizers), field("ownerReferences", &ObjectMeta::owners),
    rest(&ObjectMeta::rest, "managedFields", "selfLink", "deletionGracePeriodSeconds"));

PORTICO_API_TABLE(LabelSelector::Requirement, field("key", &LabelSelector::Requirement::key),
                  field("operator", &LabelSelector::Requirement::op),
                  field("values", &LabelSelector::Requirement::values));

PORTICO_API_TABLE(LabelSelector, field("matchLabels", &LabelSelector::match_labels),
                  field("matchExpressions", &LabelSelector::match_expressions));

PORTICO_API_TABLE(Condition, field("type", &Condition::type), field("status", &Condition::status),
                  field("observedGeneration", &Condition::observed_generation),
                  field("lastTransitionTime", &Condition::last_transition_time),
                  field("reason", &Condition::reason), field("message", &Condition::message));

PORTICO_API_TABLE(Retry, field("failures", &Retry::failures), field("since", &Retry::since),
                  field("next", &Retry::next));

PORTICO_API_TABLE(Selector, field("apiVersion", &Selector::api_version),
                  field("kind", &Selector::kind), field("name", &Selector::name),
                  field("namespace", &Selector::ns), field("labels", &Selector::labels),
                  field("annotations", &Selector::annotations));

PORTICO_API_TABLE(Function, field("image", &Function::image), field("exec", &Function::exec),
                  field("tag", &Function::tag), field("configPath", &Function::config_path),
                  field("configMap", &Function::config_map), field("name", &Function::name),
                  field("selectors", &Function::selectors), field("exclude", &Function::exclude));

PORTICO_API_TABLE(Pipeline, field("mutators", &Pipeline::mutators),
                  field("validators", &Pipeline::validators));

PORTICO_API_TABLE(SecretRef, field("name", &SecretRef::name));

}  // namespace portico::api::internal
