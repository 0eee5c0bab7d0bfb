// The format of a seal, an entry of its signature dictionary, so the seal signs it and it cannot be taken away. A name that begins with XX is
// for private use (ISO 32000-2, annex E).
import { countOf, type PdfDict } from '#core/pdf/read/value.ts'

/**
 * 1, not written: the signing-certificate attribute lists the certificate of the signer only, and either s of ECDSA is used.
 * 2: it lists all certificates, and what the signature does not cover can be written in one form only.
 */
export type SealFormat = 1 | 2

const KEY = 'XXSealwrightFormat'
const CURRENT = 2

/** The entry for a new seal. */
export const SEAL_FORMAT_ENTRY = `/${KEY} ${CURRENT}`

/** Undefined for a format that this version does not read. */
export function readSealFormat({ entries }: PdfDict): SealFormat | undefined {
  const written = entries.get(KEY)
  if (written === undefined) return 1
  return countOf(written) === CURRENT ? CURRENT : undefined
}
