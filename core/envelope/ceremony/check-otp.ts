// One try of a code: compared in constant time, and counted whatever the result.
import { appendAudit } from '#core/audit/record-audit.ts'
import type { Core, ClientInfo } from '#core/context.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import type { ChallengeId } from '#core/ids.ts'
import { MAX_OTP_FAILURES_PER_HOUR, OTP_PAUSE_SECONDS } from '#core/limits.ts'
import { countFailure, countTry, findChallenge } from './challenge-store.ts'
import { asActor, type LinkContext } from './with-signing-link.ts'
import { markOtpVerified, pauseCodes } from './link-store.ts'
import { recordFirstView } from './record-first-view.ts'
import { assertNotPaused, countTriesLeft, isLive } from './rules.ts'

export interface CodeInput {
  challengeId: ChallengeId
  code: string
}

/** How a try ended. After the last wrong try, and for a code that was already dead, it is unusable. */
export type CodeVerdict = { result: 'verified' } | { result: 'wrong'; triesLeft: number } | { result: 'unusable' }

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
  const verified = core.keys.isOtpDigest(challenge.codeHmac, challengeId, code) && live
  const { otpMaxTries: maxTries } = core.settings
  const action = verified ? 'code.accepted' : 'code.refused'
  const [, , failures] = await Promise.all([
    live && countTry(sql, orgId, challengeId, { maxTries, verified }),
    appendAudit(sql, core.keys, orgId, envelope.id, chainEnd, { actor: asActor(link), origin, action, detail: { challengeId } }),
    verified ? recordVerified(context) : recordFailure(context),
  ])
  if (verified) return { result: 'verified' }
  const triesLeft = live ? countTriesLeft(challenge, { maxTries, failures }) : 0
  return triesLeft > 0 ? { result: 'wrong', triesLeft } : { result: 'unusable' }
}

async function recordVerified(context: LinkContext): Promise<number> {
  await Promise.all([markOtpVerified(context.sql, context.orgId, context.signerId), recordFirstView(context)])
  return 0
}

/** Returns the link's failures of the last hour. */
async function recordFailure({ sql, orgId, signerId }: LinkContext): Promise<number> {
  const failures = await countFailure(sql, orgId, signerId)
  if (failures >= MAX_OTP_FAILURES_PER_HOUR) await pauseCodes(sql, orgId, signerId, OTP_PAUSE_SECONDS)
  return failures
}
