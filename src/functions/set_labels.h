// set-labels: labels on every resource, and on the selectors and templates that go with them.
#pragma once

#include "functions/function.h"

namespace portico::functions {

/// Config: a ConfigMap whose data are the labels, or SetLabels (fn.kpt.dev) with `labels`. Labels
/// that select (spec.selector, matchLabels) are made where kubectl apply would need them and else
/// only changed where they are. Local configuration is left alone. Sources: kpt catalog set-labels.
Outcome set_labels(krm::ResourceList list);

}  // namespace portico::functions
