"""The command line of `benchmarks.kills`."""

import sys

from benchmarks.kills import main

if __name__ == "__main__":
    sys.exit(main())
