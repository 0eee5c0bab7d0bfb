// The only error that reading a PDF throws deliberately. Its message is a sentence for the uploader.

/** Why a document is refused; each is also a code of the error catalogue. */
export type PdfErrorCode =
  | 'DOCUMENT_INVALID'
  | 'DOCUMENT_TOO_COMPLEX'
  | 'DOCUMENT_ENCRYPTED'
  | 'DOCUMENT_XFA'
  | 'DOCUMENT_ACTIVE_CONTENT'
  | 'DOCUMENT_CHANGES_LOCKED'
  | 'DOCUMENT_SIGNATURE_BROKEN'

export class PdfError extends Error {
  override readonly name = 'PdfError'
  readonly code: PdfErrorCode
  /** The flaw as a clause, for a document that is invalid or can be normalised; empty otherwise. */
  readonly reason: string
  /** Viewers disagree on what the document shows, so it must not be repaired. */
  readonly isContradictory: boolean
  /** The cross-reference table says what the document shows, but not all viewers follow it: a copy of what the table lists is regular. */
  readonly followsTable: boolean

  constructor(
    code: PdfErrorCode,
    message: string,
    {
      reason = '',
      isContradictory = false,
      followsTable = false,
    }: Partial<Pick<PdfError, 'reason' | 'isContradictory' | 'followsTable'>> = {},
  ) {
    super(message)
    this.code = code
    this.reason = reason
    this.isContradictory = isContradictory
    this.followsTable = followsTable
  }
}

/** A DOCUMENT_INVALID error; `reason` is a clause without a capital or a full stop ("its page tree has a loop"). */
export function malformed(reason: string): PdfError {
  return invalid(reason, {})
}

/** Like `malformed`, for a document that viewers show in different ways: it is refused and never repaired. */
export function contradictory(reason: string): PdfError {
  return invalid(reason, { isContradictory: true })
}

/** Like `malformed`, for a document that can be read by its table while some viewers show something else. */
export function irregular(reason: string): PdfError {
  return new PdfError('DOCUMENT_INVALID', `The document does not look the same in every viewer: ${reason}.`, {
    reason,
    followsTable: true,
  })
}

function invalid(reason: string, kind: { isContradictory?: boolean }): PdfError {
  return new PdfError('DOCUMENT_INVALID', `The document is not a readable PDF: ${reason}.`, { reason, ...kind })
}

/** A DOCUMENT_TOO_COMPLEX error; `reason` is a clause without a capital or a full stop ("it has more than 5000 pages"). */
export function tooComplex(reason: string): PdfError {
  return new PdfError('DOCUMENT_TOO_COMPLEX', `The document is too complex to process safely: ${reason}.`)
}
