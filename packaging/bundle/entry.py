"""Where the frozen program begins."""

import sys

from cutaway.cli.main import main

sys.exit(main())
