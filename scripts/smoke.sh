#!/usr/bin/env bash
# Build the wheel, install it alone into an empty environment of every Python given, and let it check and fix a model.
# Usage: scripts/smoke.sh PYTHON-WITH-BUILD PYTHON...
set -euo pipefail
builder=$1; shift
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
"$builder" -m build --wheel --outdir "$work" . > "$work/build.log" 2>&1 || { cat "$work/build.log"; exit 1; }
cp fixtures/legacy-variable/before.py "$work/model.py"
for python in "$@"; do
    if ! "$python" -c '' 2> "$work/missing"; then echo "smoke: $python is not here, left out"; continue; fi
    "$python" -m venv "$work/$python" && "$work/$python/bin/pip" install --quiet "$work"/*.whl
    (cd "$work" && cp model.py again.py
     status=0; "$work/$python/bin/breaklint" check again.py > out || status=$?
     [ "$status" = 1 ] && grep -q BRK out && "$work/$python/bin/breaklint" rule BRK201 > rule
     "$work/$python/bin/breaklint" check --fix --exit-zero again.py > out && ! cmp -s model.py again.py)
    echo "smoke: $("$work/$python/bin/python" -V), $("$work/$python/bin/breaklint" --version): well"
done
