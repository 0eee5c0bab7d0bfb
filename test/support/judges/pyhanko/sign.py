"""Signs PDF files with pyHanko, as another organisation would.

stdin: {"key": path, "certificate": path, "files": [{"input", "output", "field", "box": [x0, y0, x1, y1] or null, "text": or null}]}
The field is signed where it exists; otherwise it is added to the first page, hidden without a box. A file with "validationData": true gets
no signature but validation data (DSS) of the signing certificate.
"""

import json
import sys

from pyhanko import stamp
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign import fields, signers
from pyhanko.sign.validation.dss import DocumentSecurityStore
from pyhanko.keys import load_cert_from_pemder


def sign(signer, job):
    with open(job["input"], "rb") as source, open(job["output"], "wb") as target:
        writer = IncrementalPdfFileWriter(source, strict=False)
        metadata = signers.PdfSignatureMetadata(
            field_name=job["field"], subfilter=fields.SigSeedSubFilter.PADES, reason="Approved by accounts"
        )
        box = job.get("box")
        new_field = fields.SigFieldSpec(job["field"], box=tuple(box), on_page=0) if box else None
        look = stamp.TextStampStyle(stamp_text=job["text"], background=None) if job.get("text") else None
        pdf_signer = signers.PdfSigner(metadata, signer=signer, new_field_spec=new_field, stamp_style=look)
        pdf_signer.sign_pdf(writer, output=target)


def add_validation_data(certificate, job):
    with open(job["input"], "rb") as source:
        content = source.read()
    with open(job["output"], "wb+") as target:
        target.write(content)
        reader = PdfFileReader(target, strict=False)
        contents = reader.embedded_signatures[0].pkcs7_content
        DocumentSecurityStore.add_dss(target, contents, certs=[certificate])


def main():
    request = json.load(sys.stdin)
    signer = signers.SimpleSigner.load(request["key"], request["certificate"])
    for job in request["files"]:
        if job.get("validationData"):
            add_validation_data(load_cert_from_pemder(request["certificate"]), job)
        else:
            sign(signer, job)


main()
