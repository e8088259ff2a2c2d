"""`python -m breaklint.verify.prove`: prove every rule card."""

import sys

from breaklint.verify.prove.runner import main

sys.exit(main())
