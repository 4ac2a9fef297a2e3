"""Type of an object of JSON, such as an answer or a row."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]
