// Whether a certificate is valid and how soon it expires. Pure.
import type { SigningKey } from '../data/records.ts'

const SOON_MS = 60 * 24 * 60 * 60_000

/** `soon`: it expires within 60 days. */
export function validityOf({ notAfter }: Pick<SigningKey, 'notAfter'>, nowMs: number): 'valid' | 'soon' | 'over' {
  const leftMs = new Date(notAfter).getTime() - nowMs
  if (leftMs <= 0) return 'over'
  return leftMs < SOON_MS ? 'soon' : 'valid'
}
