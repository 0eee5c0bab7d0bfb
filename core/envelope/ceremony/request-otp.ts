// Emails a one-time code to the signer's address, as often as the cool-down and the caps allow.
import { randomInt } from 'node:crypto'
import { appendAudit } from '#core/audit/record-audit.ts'
import type { Core, ClientInfo } from '#core/context.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { ChallengeId, newId } from '#core/ids.ts'
import { recordMail } from '#core/mail/record-mail.ts'
import { reserveInWindows } from '#core/account/quota/reserve.ts'
import { type Challenge, closeChallenges, countCodesSent, findLatestChallenge, insertChallenge } from './challenge-store.ts'
import { asActor, withSigningLink, ownerOf, type LinkContext } from './with-signing-link.ts'
import { assertActable, assertMaySendCode, assertNotPaused, isLive } from './rules.ts'

export interface OtpChallenge {
  challengeId: ChallengeId | null
  codeUnusable: boolean
  expiresInSeconds: number
  resendAvailableInSeconds: number
  resent: boolean
  message: string
}

/** During the cool-down it returns the current challenge and sends no email. Throws SIGNING_LINK_NOT_FOUND, ENVELOPE_NOT_OPEN, ALREADY_SIGNED,
 *  NOT_YOUR_TURN, OTP_NOT_REQUIRED, OTP_PAUSED, OTP_SEND_LIMIT, QUOTA_EXCEEDED. */
export async function requestOtp(core: Core, token: string, origin: ClientInfo): Promise<OtpChallenge> {
  return withSigningLink(core, await ownerOf(core, token), async (context) => {
    const { sql, orgId, signerId, envelope, link } = context
    assertActable(link, envelope)
    if (!envelope.otpRequired) throw new DomainError('OTP_NOT_REQUIRED')
    assertNotPaused(link, envelope)
    const [latest, sent] = await Promise.all([findLatestChallenge(sql, orgId, signerId), countCodesSent(sql, orgId, signerId)])
    const cooldownSeconds = latest ? Math.ceil(core.settings.otpResendCooldownSeconds - latest.ageSeconds) : 0
    if (latest && cooldownSeconds > 0) return currentChallenge(latest, cooldownSeconds)
    assertMaySendCode(sent)
    reserveInWindows(sql, orgId, core.settings, { dimension: 'EMAILS_PER_HOUR', count: 1 })
    return mailCode(core, context, origin)
  })
}

function currentChallenge(challenge: Challenge, resendAvailableInSeconds: number): OtpChallenge {
  const live = isLive(challenge)
  return {
    challengeId: live ? challenge.id : null,
    codeUnusable: !live,
    expiresInSeconds: live ? Math.ceil(challenge.expiresInSeconds) : 0,
    resendAvailableInSeconds,
    resent: false,
    message: live
      ? 'A code has already been sent to your e-mail address.'
      : 'The last code can no longer be used. You can request a new one shortly.',
  }
}

async function mailCode(core: Core, context: LinkContext, origin: ClientInfo): Promise<OtpChallenge> {
  const { sql, orgId, signerId, envelope, link, chainEnd } = context
  const { otpTtlSeconds, otpResendCooldownSeconds } = core.settings
  const challengeId = newId(ChallengeId)
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const codeHmac = core.keys.otpDigest(challengeId, code)
  const mail = { envelopeId: envelope.id, signerId, template: 'ONE_TIME_CODE', secret: code, held: false } as const
  const entry = { actor: asActor(link), origin, action: 'code.requested', detail: { challengeId } } as const
  await Promise.all([
    closeChallenges(sql, orgId, signerId),
    insertChallenge(sql, orgId, signerId, { id: challengeId, codeHmac, ttlSeconds: otpTtlSeconds }),
    recordMail(sql, core.keys, orgId, mail),
    appendAudit(sql, core.keys, orgId, envelope.id, chainEnd, entry),
  ])
  return {
    challengeId,
    codeUnusable: false,
    expiresInSeconds: otpTtlSeconds,
    resendAvailableInSeconds: otpResendCooldownSeconds,
    resent: true,
    message: 'A code has been sent to your email address.',
  }
}
