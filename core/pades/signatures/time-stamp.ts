// The content of a document time stamp: TSTInfo (RFC 3161 2.4.2).
import { TAG } from '../der.ts'
import { type DerValue, openDer, readDer } from '../read-der.ts'

export interface TimeStamp {
  readonly digestAlgorithm: DerValue
  /** Digest of the stamped bytes. */
  readonly digest: Buffer
  readonly time: Date | undefined
}

const GENERALIZED_TIME = 0x18
const UTC = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.\d+)?Z$/

/** Throws DerError. */
export function readTimeStamp(content: Buffer): TimeStamp {
  const info = openDer(readDer(content, TAG.sequence))
  info.take(TAG.integer)
  info.take(TAG.oid)
  const imprint = openDer(info.take(TAG.sequence))
  const digestAlgorithm = imprint.take(TAG.sequence)
  const digest = imprint.take(TAG.octetString).body
  info.take(TAG.integer)
  return { digestAlgorithm, digest, time: readTime(info.take(GENERALIZED_TIME).body.toString('latin1')) }
}

function readTime(text: string): Date | undefined {
  const iso = UTC.test(text) ? text.replace(UTC, '$1-$2-$3T$4:$5:$6Z') : ''
  const time = new Date(iso)
  return Number.isNaN(time.getTime()) ? undefined : time
}
