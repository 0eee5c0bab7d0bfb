// Sealed files for verification tests: sealed by the product, or signed by the test itself.
import { walkFields } from '#core/pdf/read/form-fields.ts'
import { createHash } from 'node:crypto'
import { writeIncrement } from '#core/pdf/increment/increment.ts'
import { readSealPlan } from '#core/pdf/plan/seal-plan.ts'
import { sealPdf } from '#core/pades/seal-pdf.ts'
import type { SigningKey } from '#core/pades/signing-key.ts'
import { AUDIT_HEAD } from '../../../support/builders/audit-head.ts'
import { openBytes } from '../../../support/judges/open-pdf.ts'
import { simplePdf } from '../../../support/builders/pdf-builder.ts'

export const SEALED_AT = new Date('2027-01-02T03:04:05Z')
export const ORIGINAL = simplePdf({ content: 'BT /F1 12 Tf 20 100 Td (Price: 100) Tj ET' })

/** The document sealed by the product, without a visible seal. */
export async function sealedFile(
  key: SigningKey,
  original = ORIGINAL,
  sealedAt = SEALED_AT,
  signers: readonly string[] = [],
): Promise<Buffer> {
  const plan = readSealPlan(openBytes(original), [])
  return await sealPdf({ original, plan, placements: [], forms: [], key, sealedAt, auditHead: AUDIT_HEAD, signers })
}

export interface Unsigned {
  readonly bytes: Buffer
  readonly gapStart: number
  readonly gapEnd: number
}

export const ENTRIES = '/Type/Sig/Filter/Adobe.PPKLite/SubFilter/ETSI.CAdES.detached/M(D:20270102030405Z)/Name(Seal)'

/** A file ready to be signed, with more space in the gap than the product reserves. */
export function unsignedFile(entries = ENTRIES, { original = ORIGINAL, contentsBytes = 6000 } = {}): Unsigned {
  const file = openBytes(original)
  const plan = readSealPlan(file, [])
  // Like the signature of another product, it locks no field.
  const fields = new Set(Array.from(walkFields(file), ({ ref }) => ref?.num))
  const formUpdates = plan.formUpdates.filter(({ num }) => !fields.has(num))
  const { bytes, gapStart, gapEnd } = writeIncrement(
    { ...plan, lockedFields: null, formUpdates },
    {
      forms: [],
      placements: [],
      signatureEntries: entries,
      contentsBytes,
      fieldDescription: 'Seal',
      documentIdSeed: Buffer.from('seed'),
    },
  )
  return { bytes: Buffer.concat([original, bytes]), gapStart, gapEnd }
}

/** Writes the result of `signDigest` for the digest of all other bytes into the gap. */
export function signFile(
  { bytes, gapStart, gapEnd }: Unsigned,
  signDigest: (digest: Buffer) => Buffer,
  hash: 'sha1' | 'sha256' | 'sha384' | 'sha512' = 'sha256',
): Buffer {
  const signed = Buffer.from(bytes)
  const digest = createHash(hash).update(signed.subarray(0, gapStart)).update(signed.subarray(gapEnd)).digest()
  const cms = signDigest(digest).toString('hex')
  if (cms.length > gapEnd - gapStart - 2) throw new Error('the gap is too small for this CMS')
  signed.write(cms, gapStart + 1, 'latin1')
  return signed
}

/** Position of the last signature's gap, from `<` to after `>`. */
export function gapOf(sealed: Buffer): { gapStart: number; gapEnd: number } {
  const ranges = [...sealed.toString('latin1').matchAll(/\/ByteRange\[0 (\d+) (\d+) \d+ *\]/g)]
  const [, gapStart = 0, gapEnd = 0] = ranges.at(-1)!.map(Number)
  return { gapStart, gapEnd }
}
