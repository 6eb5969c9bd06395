// The form that kpt gives a Kptfile when it writes one.
#pragma once

#include "krm/object.h"

namespace portico::render {

/// The Kptfile in the order of kpt's structs, labels, annotations and configMaps by name, lists
/// indented, without quotes that are not needed and without blank lines. Comments stay, which kpt
/// loses. As it is where its aliases do not allow it.
krm::Object in_kpts_form(krm::Object kptfile);

}  // namespace portico::render
