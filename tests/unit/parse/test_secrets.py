"""Secrets are found with their exact span, and hardly anything else is."""

from __future__ import annotations

import random
import re
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuedeck.parse.secrets import RULES_VERSION, Secret, find_secrets
from cuedeck.parse.secrets.rules import RULES
from tests.unit.parse.secret_samples import ALNUM, BASE64, CONTEXTS, FORMATS, HEX, block, pick, placed, samples
