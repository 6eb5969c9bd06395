// One function per module.
#pragma once

#include "starlark/heap.h"

namespace portico::starlark_lib {

starlark::Value json_module(starlark::Heap& heap);
starlark::Value math_module(starlark::Heap& heap);
starlark::Value re_module(starlark::Heap& heap);
starlark::Value hash_module(starlark::Heap& heap);
starlark::Value base64_module(starlark::Heap& heap);
starlark::Value csv_module(starlark::Heap& heap);

}  // namespace portico::starlark_lib
