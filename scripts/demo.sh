#!/usr/bin/env bash
# breaklint on real models: check, fix, verify. Usage: demo.sh LIBRARY_FOLDER [FIXTURE]
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
library=$1
fixture=${2:-item-divisor}
# Threads that wait for each other on few, shared cores would be what is timed.
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-1}

# show TITLE ALLOWED COMMAND...: findings (exit code 1) are what a demo is about; an error ends it.
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

show "Example models: what breaks the graph, and how often" 1 breaklint check --statistics fixtures
show "A real library, installed from its package" 1 breaklint check --statistics "$library"
show "One finding in full" 1 breaklint check "fixtures/$fixture/before.py"
show "Its fix, as a diff" 1 breaklint check --diff --unsafe-fixes "fixtures/$fixture/before.py"
show "Is the fix right, and is it worth it? Compiled and timed on this machine's CPU" "3" \
    breaklint verify "fixtures/$fixture" --devices cpu --rounds 10
printf '\n\033[1m== Done.\033[0m Try it on your own code: .venv/bin/breaklint check PATH\n'
