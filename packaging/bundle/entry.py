"""Where the frozen program begins."""

import os
import sys

from cutaway import child
from cutaway.cli.main import main

# The launcher put the tree's libraries in front of the system's for this process. Browsers, editors and tool servers
# that are started from here must not load them; a child of our own is told to fetch them from its launcher again.
clean = child.environment() | {"PYINSTALLER_RESET_ENVIRONMENT": "1"}
os.environ.clear()
os.environ.update(clean)

sys.exit(main())
