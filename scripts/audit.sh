#!/usr/bin/env bash
# Look what is installed up in PyPI's database of known vulnerabilities. Where that cannot be reached it is left out, aloud.
# Usage: scripts/audit.sh PYTHON
set -euo pipefail
python=$1
if ! "$python" -c 'import urllib.request as r; r.urlopen("https://pypi.org/pypi/pip/24.0/json", timeout=20)' 2> /dev/null; then
    echo "audit: the database of pypi.org cannot be reached, left out: no dependency was looked up"
    exit 0
fi
"$python" -m pip install --quiet "pip-audit>=2.7"
"$python" -m pip_audit --skip-editable --progress-spinner off
