#!/usr/bin/env bash
# Build the wheel, install it alone into an empty environment of every Python given, and let it check and fix a model.
# Usage: scripts/smoke.sh PYTHON-WITH-BUILD PYTHON...
set -euo pipefail
builder=$1; shift
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT

# A Python by its name: on the PATH, among those of pyenv, or known to uv; nothing where there is none.
find_python() {
    local candidate
    for candidate in "$1" "${PYENV_ROOT:-$HOME/.pyenv}"/versions/*/bin/"$1" "$(uv python find "${1#python}" 2> /dev/null)"; do
        if [ -n "$candidate" ] && "$candidate" -c '' 2> /dev/null; then echo "$candidate"; return; fi
    done
}

"$builder" -m build --wheel --outdir "$work" . > "$work/build.log" 2>&1 || { cat "$work/build.log"; exit 1; }
cp fixtures/legacy-variable/before.py "$work/model.py"
for name in "$@"; do
    python=$(find_python "$name")
    if [ -z "$python" ]; then echo "smoke: $name is not here, left out"; continue; fi
    bin=$work/$name/bin
    "$python" -m venv "$work/$name" && "$bin/pip" install --quiet --disable-pip-version-check "$work"/*.whl
    (cd "$work" && cp model.py again.py
     status=0; "$bin/breaklint" check again.py > out || status=$?
     [ "$status" = 1 ] && grep -q BRK out && "$bin/breaklint" rule BRK201 > rule
     "$bin/breaklint" check --fix --exit-zero again.py > out && ! cmp -s model.py again.py)
    echo "smoke: $("$bin/python" -V), $("$bin/breaklint" --version): well"
done
