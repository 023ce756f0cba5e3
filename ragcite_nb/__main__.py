"""``python -m ragcite_nb``: the command line where its script is not on the path."""

import sys

from ragcite_nb.cli import main

if __name__ == "__main__":
    sys.exit(main())
