// Where the revisions of a signed PDF end, read from the byte ranges of its signatures: a file that others signed later begins with the sealed one.

/** The start of a file, up to the end of what a signature covers. */
export interface Revision {
  /** Bytes from the start of the file. */
  bytes: number
  /** Lower-case hex. */
  sha256: string
  /** How many signatures were added after it. */
  laterSignatures: number
}

// A signature dictionary is never compressed, because its byte range leaves out a part of it.
const BYTE_RANGE = /\/ByteRange\s*\[\s*0\s+\d+\s+(\d+)\s+(\d+)\s*\]/g
/** Files have a few signatures; each revision is hashed. */
const MAX_REVISIONS = 3

/**
 * The ends of what the signatures cover, the largest first, each with the number of signatures that reach further; without one of these, the
 * file was changed and not signed. Pure.
 */
export function findRevisionEnds(text: string, fileBytes: number): { bytes: number; laterSignatures: number }[] {
  const ends = Array.from(text.matchAll(BYTE_RANGE), ([, start, length]) => Number(start) + Number(length))
  const earlier = [...new Set(ends)].filter((end) => end > 0 && end < fileBytes).sort((one, other) => other - one)
  return earlier
    .map((bytes) => ({ bytes, laterSignatures: ends.filter((end) => end > bytes && end <= fileBytes).length }))
    .filter(({ laterSignatures }) => laterSignatures > 0)
    .slice(0, MAX_REVISIONS)
}
