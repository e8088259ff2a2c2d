"""`python -m breaklint.verify.card_proofs`: prove every rule card."""

import sys

from breaklint.verify.card_proofs.runner import main

sys.exit(main())
