#!/usr/bin/env bash
# Build a wheel whose engine is a C extension, and see that it says the same as the sources do, byte for byte.
# Usage: scripts/compiled.sh PYTHON-WITH-BUILD FOLDER
set -euo pipefail
python=$1; folder=$2
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT

# By way of the source archive: mypyc writes its extension beside the sources, where it would hide later changes to them.
HATCH_BUILD_HOOK_ENABLE_MYPYC=1 "$python" -m build --outdir "$work" . > "$work/build.log" 2>&1 || { cat "$work/build.log"; exit 1; }
"$python" -m pip install --quiet --disable-pip-version-check --no-deps --target "$work/site" "$work"/*.whl

say() { PYTHONPATH=$1 "$python" -c '
import sys
del sys.path[0]  # the current folder
import breaklint.engine
print(breaklint.engine.__file__.rpartition(".")[2], file=sys.stderr)
from breaklint.cli import main
main()' check --isolated --no-cache --exit-zero --output-format json fixtures benchmarks tests; }
say "$PWD" > "$work/sources.json" 2> "$work/sources.txt"
say "$work/site" > "$work/compiled.json" 2> "$work/compiled.txt"
grep -qx so "$work/compiled.txt" || grep -qx pyd "$work/compiled.txt" || { echo "compiled: no extension was built"; exit 1; }
cmp "$work/sources.json" "$work/compiled.json"
mkdir -p "$folder" && cp "$work"/*.whl "$folder"
echo "compiled: $(cd "$work" && ls ./*.whl): the same $(grep -c '"code"' "$work/sources.json") findings as the sources"
