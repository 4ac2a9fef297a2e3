"""Example workspace of the seed documents, whose scene visits a card, a section, a
source file and a section; and a workspace with one file about the task.
"""

from __future__ import annotations

from sandbox import Sandbox

OTHER_SUBJECTS = ("billing", "invoice", "parcel", "weather", "garden", "kitchen")

ORDER = (
    ".cuedeck/cards/2a9f1x.md",
    "docs/auth.md#LoginFlow",
    "crates/cue_core/src/auth.rs",
    "docs/security.md#TokenValidation",
)

FILES = {
    ".cuedeck/cards/2a9f1x.md": """\
---
title: Fix Login
status: active
priority: high
refs:
  - docs/auth.md#LoginFlow
---

# Fix Login

Logging in with an expired token must ask for the password again, not answer with a blank page.
""",
    "docs/auth.md": """\
# Authentication

Everything about who may do what. [Billing](billing.md) is elsewhere.

## Login Flow

The server checks the password, then issues a token:

1. `verify` in [auth.rs](../crates/cue_core/src/auth.rs) compares the hash.
2. The token is checked on each request, see [[security#TokenValidation]].

An expired token leads back to the form.

## Logout

Deletes the token, see [[billing]].
""",
    "docs/security.md": """\
# Security

## Token Validation

A token is valid for one hour. Signature first, then the expiry, then the list of revoked tokens.

## Passwords

Hashed with bcrypt, never logged.
""",
    "docs/billing.md": "# Billing\n\nNot needed to log in.\n",
    "crates/cue_core/src/auth.rs": """\
//! Checks of passwords and tokens.

use std::time::SystemTime;

pub struct Token {
    pub user: u64,
    pub expires: SystemTime,
}

/// Compare a password with its hash.
pub fn verify(password: &str, hash: &str) -> bool {
    bcrypt::verify(password, hash).unwrap_or(false)
}

/// Tell whether a token is still good.
pub fn is_valid(token: &Token, now: SystemTime) -> bool {
    now < token.expires
}
""",
}


def write_token_shop(sandbox: Sandbox, login: str) -> Sandbox:
    """Write an active card about tokens, a doc it links, one file about tokens, and
    many files about other subjects.
    """
    sandbox.card(
        "aaaaaa",
        "title: Expired token",
        "refs:",
        "  - docs/auth.md",
        body="`verify_token` must tell it.",
    )
    sandbox.activate("aaaaaa")
    sandbox.write("docs/auth.md", "# Auth\n\nHow people come in.\n")
    sandbox.write("src/login.py", login)
    for name in OTHER_SUBJECTS:
        sandbox.write(f"src/{name}.py", f"def {name}():\n    return '{name}'\n")
    return sandbox
