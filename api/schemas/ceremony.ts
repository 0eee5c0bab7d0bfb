// The wire shapes of what signers send. Spec, "Signing-ceremony endpoints".
import { ChallengeId } from '#core/ids.ts'
import { MAX_VIEW_DURATION_MS } from '#core/limits.ts'
import { z } from 'zod'
import { text } from './text.ts'

/** A token of the wrong shape is a link that does not exist, so nothing is refused here. */
export const LinkPath = z.object({ token: z.string() })

const Code = text(64)

export const VerifyOtpBody = z.object({ challengeId: ChallengeId, code: Code })

export const ViewClosedBody = z
  .object({ durationMs: z.int().min(0).max(MAX_VIEW_DURATION_MS).nullish() })
  .optional()
  .transform((body) => body?.durationMs ?? undefined)

export const SignBody = z
  .object({ signatureImage: z.string().min(1, 'must not be empty'), challengeId: ChallengeId.nullish(), otpCode: Code.nullish() })
  .refine(({ challengeId, otpCode }) => !otpCode || challengeId, { path: ['challengeId'], message: 'is needed with otpCode' })
