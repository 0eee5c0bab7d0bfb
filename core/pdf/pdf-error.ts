// The only error that reading a PDF throws deliberately. Its message is a sentence for the uploader.

/** Why a document is refused; each is also a code of the error catalogue. */
export type PdfErrorCode =
  | 'DOCUMENT_INVALID'
  | 'DOCUMENT_TOO_COMPLEX'
  | 'DOCUMENT_ENCRYPTED'
  | 'DOCUMENT_XFA'
  | 'DOCUMENT_ACTIVE_CONTENT'
  | 'DOCUMENT_CHANGES_LOCKED'

export class PdfError extends Error {
  override readonly name = 'PdfError'
  readonly code: PdfErrorCode
  /** The flaw as a clause, for DOCUMENT_INVALID; empty otherwise. */
  readonly reason: string
  /** Viewers disagree on what the document shows, so it must not be repaired. */
  readonly isContradictory: boolean

  constructor(code: PdfErrorCode, message: string, { reason = '', isContradictory = false } = {}) {
    super(message)
    this.code = code
    this.reason = reason
    this.isContradictory = isContradictory
  }
}

/** A DOCUMENT_INVALID error; `reason` is a clause without a capital or a full stop ("its page tree has a loop"). */
export function malformed(reason: string): PdfError {
  return invalid(reason, false)
}

/** Like `malformed`, for a document that viewers show in different ways: it is refused and never repaired. */
export function contradictory(reason: string): PdfError {
  return invalid(reason, true)
}

function invalid(reason: string, isContradictory: boolean): PdfError {
  const message = `The document is not a readable PDF: ${reason}.`
  return new PdfError('DOCUMENT_INVALID', message, { reason, isContradictory })
}

/** A DOCUMENT_TOO_COMPLEX error; `reason` is a clause without a capital or a full stop ("it has more than 5000 pages"). */
export function tooComplex(reason: string): PdfError {
  return new PdfError('DOCUMENT_TOO_COMPLEX', `The document is too complex to process safely: ${reason}.`)
}
