// The gates of the ceremony, as pure functions. Spec, "Signing gates"; decisions, "Links, ceremony, OTP".
import type { EnvelopeStatus } from '#core/envelope/rules.ts'
import { DomainError, type UsedUpLimit } from '#core/platform/errors/domain-error.ts'
import { MAX_CODES_PER_DAY, MAX_CODES_PER_HOUR, MAX_OTP_FAILURES_PER_HOUR, OTP_PERMISSION_SECONDS } from '#core/limits.ts'
import type { SignerStatus } from '#core/envelope/signer/rules.ts'

export interface LinkState {
  signerStatus: SignerStatus
  releasedAt: Date | null
  expiresAt: Date | null
  revokedAt: Date | null
  otpVerifiedAt: Date | null
  otpPausedUntil: Date | null
  lastViewedAt: Date | null
}

export interface EnvelopeState {
  status: EnvelopeStatus
  otpRequired: boolean
  now: Date
}

const HOUR_SECONDS = 3_600
const OPEN: readonly EnvelopeStatus[] = ['SENT', 'IN_PROGRESS']

function hasExpired({ expiresAt }: LinkState, now: Date): boolean {
  return expiresAt !== null && expiresAt <= now
}

/** For reading the link: one that is used up, revoked, expired or not yet due is not found, so that guessing reveals nothing. */
export function assertReadable(link: LinkState, envelope: EnvelopeState): void {
  const signed = link.signerStatus === 'SIGNED' && (OPEN.includes(envelope.status) || envelope.status === 'COMPLETED')
  if (signed) return
  const usable =
    OPEN.includes(envelope.status) && link.releasedAt !== null && link.revokedAt === null && !hasExpired(link, envelope.now)
  if (!usable) throw new DomainError('SIGNING_LINK_NOT_FOUND')
}

/** For acting on the link: the signer has not signed, the envelope is open, the turn has come and the link is valid. Throws ENVELOPE_NOT_OPEN,
 *  ALREADY_SIGNED, NOT_YOUR_TURN, SIGNING_LINK_NOT_FOUND. */
export function assertActable(link: LinkState, envelope: EnvelopeState): void {
  const signed = link.signerStatus === 'SIGNED'
  if (!OPEN.includes(envelope.status) && !(signed && envelope.status === 'COMPLETED')) throw new DomainError('ENVELOPE_NOT_OPEN')
  if (signed) throw new DomainError('ALREADY_SIGNED')
  if (link.releasedAt === null) throw new DomainError('NOT_YOUR_TURN')
  if (link.revokedAt !== null || hasExpired(link, envelope.now)) throw new DomainError('SIGNING_LINK_NOT_FOUND')
}

/** True when the envelope requires no code, or one was verified recently. */
export function hasOtpPermission(link: LinkState, envelope: EnvelopeState): boolean {
  if (!envelope.otpRequired) return true
  const { otpVerifiedAt } = link
  return otpVerifiedAt !== null && envelope.now.getTime() - otpVerifiedAt.getTime() < OTP_PERMISSION_SECONDS * 1000
}

/** Throws OTP_REQUIRED. */
export function assertOtpPermission(link: LinkState, envelope: EnvelopeState): void {
  if (!hasOtpPermission(link, envelope)) throw new DomainError('OTP_REQUIRED')
}

/** Throws VIEW_REQUIRED: the documents must have been opened before signing. */
export function assertViewed(link: LinkState): void {
  if (link.lastViewedAt === null) throw new DomainError('VIEW_REQUIRED')
}

/** True while another opening counts as a repetition of the last one. */
export function isWithinLastView({ lastViewedAt }: LinkState, { now }: EnvelopeState, windowSeconds: number): boolean {
  return lastViewedAt !== null && now.getTime() - lastViewedAt.getTime() < windowSeconds * 1000
}

/** Throws OTP_PAUSED while too many wrong codes block the link's codes. */
export function assertNotPaused({ otpPausedUntil }: LinkState, { now }: EnvelopeState): void {
  if (otpPausedUntil === null || otpPausedUntil <= now) return
  const limit = { name: 'wrong-codes', count: MAX_OTP_FAILURES_PER_HOUR, windowSeconds: HOUR_SECONDS }
  throw new DomainError('OTP_PAUSED', { limit, retryAfterSeconds: Math.ceil((otpPausedUntil.getTime() - now.getTime()) / 1000) })
}

/** Throws OTP_SEND_LIMIT when too many codes were sent for the link. */
export function assertMaySendCode(sent: {
  lastHour: number
  lastDay: number
  hourFreesInSeconds: number
  dayFreesInSeconds: number
}): void {
  if (sent.lastDay >= MAX_CODES_PER_DAY)
    throw tooManyCodes(
      { name: 'codes-per-day', count: MAX_CODES_PER_DAY, windowSeconds: 24 * HOUR_SECONDS },
      sent.dayFreesInSeconds,
    )
  if (sent.lastHour >= MAX_CODES_PER_HOUR)
    throw tooManyCodes(
      { name: 'codes-per-hour', count: MAX_CODES_PER_HOUR, windowSeconds: HOUR_SECONDS },
      sent.hourFreesInSeconds,
    )
}

function tooManyCodes(limit: UsedUpLimit, freesInSeconds: number): DomainError {
  return new DomainError('OTP_SEND_LIMIT', { limit, retryAfterSeconds: Math.max(1, freesInSeconds) })
}

/** True while a code can still be entered. */
export function isLive(challenge: { isClosed: boolean; expiresInSeconds: number }): boolean {
  return !challenge.isClosed && challenge.expiresInSeconds > 0
}

/** How many tries a live code has after another wrong one; `tries` is the count before it, `failures` the link's in the last hour with it. */
export function countTriesLeft(
  { tries }: { tries: number },
  { maxTries, failures }: { maxTries: number; failures: number },
): number {
  return Math.max(0, Math.min(maxTries - tries - 1, MAX_OTP_FAILURES_PER_HOUR - failures))
}

/** When a link that is emailed now expires: after its own lifetime, or with the envelope if that is earlier. */
export function linkExpiry(now: Date, ttlSeconds: number, envelopeExpiresAt: Date | null): Date {
  const own = now.getTime() + ttlSeconds * 1000
  return new Date(envelopeExpiresAt ? Math.min(own, envelopeExpiresAt.getTime()) : own)
}
