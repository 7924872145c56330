"""Files that are whole or not there."""

from __future__ import annotations

import os
import tempfile

from carom.errors import FileError
from carom.types import Path

__all__ = ["write_atomically"]


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file beside its place, and rename it once it is on the disk."""
    path = os.path.abspath(os.fspath(path))
    try:
        # What is opened by `open` has the rights that other files of the user have.
        with tempfile.TemporaryDirectory(prefix=".carom-", dir=os.path.dirname(path)) as holder:
            partial = os.path.join(holder, os.path.basename(path))
            with open(partial, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.replace(partial, path)
    except OSError as error:
        raise FileError(f"{path} cannot be written: {error.strerror or error}") from None
