"""Judges PDF signatures with pyHanko's validation API.

stdin: {"root": path of the trust anchor (PEM), "files": [paths]}
stdout: [{"signatures": [...], "error": text or null}], one entry per file in the same order.
No network, no revocation data asked for; hybrid-reference files are read as viewers read them (strict=False).
"""

import json
import logging
import sys

from pyhanko.keys import load_cert_from_pemder
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.validation import validate_pdf_signature
from pyhanko_certvalidator import ValidationContext


def judge_signature(signature, root):
    context = ValidationContext(trust_roots=[root], allow_fetching=False)
    status = validate_pdf_signature(signature, context)
    return {
        "field": signature.field_name,
        "intact": bool(status.intact),
        "valid": bool(status.valid),
        "trusted": bool(status.trusted),
        "coverage": status.coverage.name,
        "modificationLevel": status.modification_level.name if status.modification_level is not None else None,
        "docMdpOk": status.docmdp_ok,
        "bottomLine": bool(status.bottom_line),
        "summary": status.summary(),
    }


def judge_file(path, root):
    try:
        with open(path, "rb") as file:
            reader = PdfFileReader(file, strict=False)
            return {"signatures": [judge_signature(s, root) for s in reader.embedded_signatures], "error": None}
    except Exception as error:  # a broken file is a verdict here, not a failure of the judge
        return {"signatures": [], "error": f"{type(error).__name__}: {error}"}


def main():
    logging.disable(logging.CRITICAL)
    request = json.load(sys.stdin)
    root = load_cert_from_pemder(request["root"])
    json.dump([judge_file(path, root) for path in request["files"]], sys.stdout)


main()
