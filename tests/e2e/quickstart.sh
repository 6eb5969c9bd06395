#!/usr/bin/env bash
# The demo of README: it ends with checks of its own, and must be quick.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
timeout 120 "$here/../../examples/quickstart/demo.sh" --portico "$PORTICO_BINARY"
