// Refuses an upload with a signature that is broken: sealing it again would vouch for what that signature does not.
import { newBudget, PDF_LIMITS } from '#core/pdf/budget.ts'
import { PdfError } from '#core/pdf/pdf-error.ts'
import type { ByteSource } from '#core/pdf/read/byte-source.ts'
import { openPdf } from '#core/pdf/read/pdf-file.ts'
import { listSignatures, type ListedSignature } from './list-signatures.ts'

/** Throws DOCUMENT_SIGNATURE_BROKEN unless every signature is intact and permits what came after it, and PdfError as reading does. */
export function refuseBrokenSignatures(source: ByteSource): void {
  const broken = listSignatures(openPdf(source, newBudget(PDF_LIMITS))).find(isBroken)
  if (broken !== undefined) throw new PdfError('DOCUMENT_SIGNATURE_BROKEN', messageFor(broken))
}

export function isBroken({ intact, laterChanges }: ListedSignature): boolean {
  return !intact || laterChanges === 'NOT_PERMITTED'
}

function messageFor({ signedBy, intact, problem }: ListedSignature): string {
  const whose = signedBy === null ? 'A signature' : `The signature of ${signedBy}`
  const what = intact ? 'does not permit what was changed after it' : 'is broken'
  return `${whose} in the document ${what}: ${problem}. Upload the file as it was signed, or one without signatures.`
}
