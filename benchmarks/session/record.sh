#!/usr/bin/env bash
# Prints a session with what people use besides check: a commit hook, an editor, a terminal, pytest.
# Usage: record.sh PYTHON > benchmarks/results/session.md; needs git, node, npm and script, and what the extras bring.
set -uo pipefail
python=$(realpath -s "$(command -v "$1")")
checkout=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/bin" "$work/project"
printf '#!/bin/sh\nexec "%s" -m breaklint "$@"\n' "$python" > "$work/bin/breaklint"
printf '#!/bin/sh\nexec "%s" "$@"\n' "$python" > "$work/bin/python"
chmod +x "$work/bin/"*
export PATH="$work/bin:$(dirname "$python"):$PATH" PYTHONPATH="$checkout" XDG_CACHE_HOME="$work/cache"
for role in AUTHOR COMMITTER; do export "GIT_${role}_NAME=Test" "GIT_${role}_EMAIL=test@example.org"; done
cp "$checkout/benchmarks/session/editor.py" "$work/"
cp -r "$checkout/editor/vscode" "$work/vscode"
cp -r "$checkout/fixtures" "$work/fixtures"

chapter() { printf '\n## %s\n' "$1"; }
run() { printf '\n```console\n$ %s\n' "$1"; eval "$1" 2>&1 | sed "s#$work/##g"; printf '[exit code %d]\n```\n' "${PIPESTATUS[0]}"; }
# What a terminal shows: lines that replace each other, one below the other, one in so many of those that count.
terminal() { script -qec "$1" /dev/null | tr '\r' '\n' | sed 's/\x1b\[[0-9;]*[A-Za-z]//g' | awk 'NF' | awk -v each="$2" '!/ s: | checked, / || n++ % each == 0'; }

cd "$work/project" || exit 2
git init -q .
printf 'def scale(x):\n    return x * x.mean()\n' > helper.py
cat > model.py <<'EOF'
import torch
from helper import scale


class Net(torch.nn.Module):
    def forward(self, x):
        return scale(x)


def get_inputs():
    return [torch.ones(4, 4)]
EOF
cat > .pre-commit-config.yaml <<'EOF'
repos:
  - repo: local
    hooks:
      - id: breaklint
        name: breaklint
        entry: breaklint check --force-exclude
        language: system
        types_or: [python, jupyter]
        require_serial: true
EOF
printf '.breaklint_cache/\n__pycache__/\n' > .gitignore
git add -A
"$python" -m pre_commit install > /dev/null
git commit -q -m 'A model and its helper' > /dev/null 2>&1

printf '# A session\n\nRecorded by `benchmarks/session/record.sh`: what the tools print, with the exit codes.\n'
chapter 'A commit that changes a helper only'
run 'cat helper.py model.py'
run "sed -i 's/x.mean()/x.mean().item()/' helper.py && git add helper.py"
run "git commit -m 'The mean as a number'"
git checkout -q HEAD -- helper.py
chapter 'An editor with the helper open'
run 'python ../editor.py'
chapter 'The extension for Visual Studio Code'
cd "$work/vscode" || exit 2
run 'npm ci --no-audit --no-fund 2> /dev/null'
run 'npm run package 2> /dev/null'
run 'node test/server.js breaklint'
cd "$work/project" || exit 2
chapter 'Progress on a terminal'
run "terminal 'breaklint check --no-cache --statistics ../fixtures' 12"
sed -i 's/x.mean()/x.mean().item()/' helper.py
run "terminal 'breaklint verify --quick --devices cpu model.py::Net' 30"
chapter 'pytest: the marker on a test that compiles nothing'
git checkout -q HEAD -- helper.py
cat > test_model.py <<'EOF'
import pytest
import torch
from breaklint import assert_no_graph_breaks
from model import Net


@pytest.mark.no_graph_breaks
def test_that_forgets_to_compile():
    Net()(torch.ones(4, 4))


@pytest.mark.no_graph_breaks
def test_that_compiles():
    torch.compile(Net(), backend="eager")(torch.ones(4, 4))


def test_with_the_function():
    assert_no_graph_breaks(Net(), torch.ones(4, 4))
EOF
run 'cat test_model.py'
run 'python -m pytest -q -p no:cacheprovider -p no:breaklint -p breaklint.pytest_plugin test_model.py'
