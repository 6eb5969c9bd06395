#!/usr/bin/env bash
# The demo of the README: it checks its own result, and must be quick.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
timeout 120 "$here/../../examples/quickstart/demo.sh" --portico "$PORTICO_BINARY"
