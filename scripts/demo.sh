#!/usr/bin/env bash
# The steps of breaklint on scripts/demo: check, observe, fix, verify. Usage: demo.sh
set -uo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$(dirname "${BASH_SOURCE[0]}")"/demo/*.py "$folder" && cd "$folder" || exit
# Threads that wait for each other on few, shared cores distort the timing.
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-1}

# show TITLE ALLOWED COMMAND...: run a command; an exit code other than 0 and ALLOWED ends the demo.
show() {
    local title=$1 allowed=$2 code=0
    shift 2
    printf '\n\033[1m== %s\033[0m\n$ %s\n\n' "$title" "$*"
    "$@" || code=$?
    if [[ " 0 $allowed " != *" $code "* ]]; then
        printf '\nthe demo ends here: exit code %s\n' "$code"
        exit "$code"
    fi
}

show "The model" "" cat model.py
show "Check: the lines that break the graph, sorted by cost" 1 breaklint check model.py
show "Observe: run the tests, and record the breaks that they reach" "" breaklint observe -- python -m pytest -q test_model.py
show "Check again: the findings that the tests confirm" 1 breaklint check --observed confirmed --output-format by-line model.py
show "Fix: the changes as a diff" 1 breaklint check --diff --unsafe-fixes model.py
show "Verify: compile and time the model before and after the fixes, on this CPU" 3 \
    breaklint verify model.py::Encoder --devices cpu --rounds 10
printf '\n\033[1m== Done.\033[0m Try it on your own code: .venv/bin/breaklint check PATH\n'
