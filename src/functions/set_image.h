// set-image: changes the name, tag or digest of container images.
#pragma once

#include "functions/function.h"

namespace portico::functions {

/// Config: a ConfigMap with data name, newName, newTag, digest, or SetImage (fn.kpt.dev) with
/// `image` made of these and `additionalImageFields` {group, version, kind, path, create}. `name`
/// is a regular expression that matches the whole image name. Unlike the catalog's code, which
/// misspells the field, it changes initContainers too, and a newName alone keeps the old tag with
/// its separator. Sources: kpt catalog set-image.
Outcome set_image(krm::ResourceList list);

}  // namespace portico::functions
