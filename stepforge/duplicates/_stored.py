"""Signatures as bytes and back."""

import io
import json
import zipfile

import numpy as np

from stepforge.duplicates._signatures import Figure, Signatures


def to_bytes(signatures: Signatures) -> bytes:
    """The signatures as an uncompressed archive of arrays."""
    told = {
        "ids": signatures.ids,
        "vocabulary": signatures.vocabulary,
        "figures": {str(row): figures for row, figures in signatures.figures.items()},
    }
    sink = io.BytesIO()
    np.savez(
        sink,
        tokens=signatures.tokens,
        starts=signatures.starts,
        wholes=signatures.wholes,
        scopes=signatures.scopes,
        long=signatures.long,
        told=np.frombuffer(json.dumps(told).encode("ascii"), np.uint8),
    )
    return sink.getvalue()


def from_bytes(data: bytes) -> Signatures:
    """The signatures.  Raises: ValueError if the bytes are damaged."""
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            told = json.loads(arrays["told"].tobytes())
            figures = {
                int(row): tuple(Figure(sha256, phash) for sha256, phash in found)
                for row, found in told["figures"].items()
            }
            found = Signatures(
                ids=told["ids"],
                tokens=arrays["tokens"],
                starts=arrays["starts"],
                wholes=arrays["wholes"],
                scopes=arrays["scopes"],
                long=arrays["long"],
                figures=figures,
                vocabulary=told["vocabulary"],
            )
    except (zipfile.BadZipFile, OSError, KeyError, EOFError, TypeError, ValueError) as error:
        raise ValueError(f"damaged signatures: {error}") from None
    if len(found.starts) != len(found.ids) + 1:
        raise ValueError("damaged signatures: their parts do not fit")
    return found
