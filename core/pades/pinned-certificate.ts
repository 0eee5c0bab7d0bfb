/** A certificate that verification accepts, because this installation has sealed with it. */
export interface PinnedCertificate {
  fingerprint: string
  certificate: Buffer
  origin: 'SELF_MADE' | 'IMPORTED'
  /** What it sealed from then on proves nothing. */
  compromisedFrom: Date | null
}
