// set-labels: sets labels on every resource and on its selectors and templates.
#pragma once

#include "functions/function.h"

namespace portico::functions {

/// Config: a ConfigMap whose data holds the labels, or SetLabels (fn.kpt.dev) with `labels`.
/// Selector labels (spec.selector, matchLabels) are created where kubectl apply would need them and
/// otherwise only changed where they exist. Local configuration is left alone. Sources: kpt catalog
/// set-labels.
Outcome set_labels(krm::ResourceList list);

}  // namespace portico::functions
