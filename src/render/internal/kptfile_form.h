// Formats a Kptfile the way kpt writes it.
#pragma once

#include "krm/object.h"

namespace portico::render {

/// Fields in the order of kpt's structs, labels, annotations and configMaps sorted by name, lists
/// indented, no unneeded quotes or blank lines. Keeps comments, which kpt loses. Returned unchanged
/// if YAML aliases prevent it.
krm::Object in_kpts_form(krm::Object kptfile);

}  // namespace portico::render
