"""Where the frozen program begins."""

import os
import sys

os.environ.setdefault("GOMP_SPINCOUNT", "1000")  # before libgomp loads; see app/cutaway/engine/llama/native.py

from cutaway.cli.main import main

sys.exit(main())
