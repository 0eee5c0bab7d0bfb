// One try of a code: compared in constant time, and counted whatever the result.
import { appendAudit } from '#core/audit/record-audit.ts'
import type { Core, ClientInfo } from '#core/context.ts'
import { equalSecrets } from '#core/platform/crypto/installation-keys.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import type { ChallengeId } from '#core/ids.ts'
import { MAX_OTP_FAILURES_PER_HOUR, OTP_PAUSE_SECONDS } from '#core/limits.ts'
import { countFailure, countTry, findChallenge } from './challenge-store.ts'
import { asActor, type LinkContext } from './with-signing-link.ts'
import { markOtpVerified, pauseCodes } from './link-store.ts'
import { recordFirstView } from './record-first-view.ts'
import { assertNotPaused, isLive } from './rules.ts'

export interface CodeInput {
  challengeId: ChallengeId
  code: string
}

export type CodeVerdict = 'verified' | 'wrong' | 'unusable'

/** The caller holds the envelope's lock and commits whatever the verdict, because a rolled back try would be a free guess. Throws OTP_PAUSED and
 *  OTP_CHALLENGE_NOT_FOUND before anything is counted. */
export async function checkOtp(
  core: Core,
  context: LinkContext,
  { challengeId, code }: CodeInput,
  origin: ClientInfo,
): Promise<CodeVerdict> {
  const { sql, orgId, signerId, envelope, link, chainEnd } = context
  assertNotPaused(link, envelope)
  const challenge = await findChallenge(sql, orgId, signerId, challengeId)
  if (!challenge) throw new DomainError('OTP_CHALLENGE_NOT_FOUND')
  const live = isLive(challenge)
  const verified = equalSecrets(challenge.codeHmac, core.keys.otpDigest(challengeId, code)) && live
  const action = verified ? 'code.accepted' : 'code.refused'
  await Promise.all([
    live && countTry(sql, orgId, challengeId, { maxTries: core.settings.otpMaxTries, verified }),
    appendAudit(sql, core.keys, orgId, envelope.id, chainEnd, { actor: asActor(link), origin, action, detail: { challengeId } }),
    verified ? recordVerified(context) : recordFailure(context),
  ])
  if (verified) return 'verified'
  return live ? 'wrong' : 'unusable'
}

async function recordVerified(context: LinkContext): Promise<void> {
  await Promise.all([markOtpVerified(context.sql, context.orgId, context.signerId), recordFirstView(context)])
}

async function recordFailure({ sql, orgId, signerId }: LinkContext): Promise<void> {
  const failures = await countFailure(sql, orgId, signerId)
  if (failures >= MAX_OTP_FAILURES_PER_HOUR) await pauseCodes(sql, orgId, signerId, OTP_PAUSE_SECONDS)
}
