"""`python -m cuedeck`."""

from cuedeck.cli.main import main

if __name__ == "__main__":
    main()
