// set-image: another name, tag or digest for the images of containers.
#pragma once

#include "functions/function.h"

namespace portico::functions {

/// Config: a ConfigMap with data name, newName, newTag, digest, or SetImage (fn.kpt.dev) with
/// `image` of these and `additionalImageFields` {group, version, kind, path, create}. `name` is a
/// regular expression for the whole image name. Unlike the catalog's code, which misspells the
/// field, initContainers change too, and a newName alone keeps the old tag with its separator.
/// Sources: kpt catalog set-image.
Outcome set_image(krm::ResourceList list);

}  // namespace portico::functions
