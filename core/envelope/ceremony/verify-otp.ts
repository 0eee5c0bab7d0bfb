// Exchanges an emailed code for half an hour's permission to read and sign.
import type { Core, ClientInfo } from '#core/context.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { withSigningLink, ownerOf } from './with-signing-link.ts'
import { assertActable } from './rules.ts'
import { type CodeInput, type CodeVerdict, checkOtp } from './check-otp.ts'

export interface OtpVerdict {
  verified: boolean
  message: string
  /** How many tries the code has left; 0 once it can no longer be used. Absent after a correct code. */
  triesLeft?: number
}

const MESSAGES: Record<CodeVerdict['result'], string> = {
  verified: 'The code is correct.',
  wrong: 'The code is incorrect.',
  unusable: 'This code is no longer valid. Request a new one.',
}

/** Throws SIGNING_LINK_NOT_FOUND, ENVELOPE_NOT_OPEN, ALREADY_SIGNED, NOT_YOUR_TURN, OTP_NOT_REQUIRED, OTP_PAUSED, OTP_CHALLENGE_NOT_FOUND. */
export async function verifyOtp(core: Core, token: string, input: CodeInput, origin: ClientInfo): Promise<OtpVerdict> {
  const verdict = await withSigningLink(core, await ownerOf(core, token), async (context) => {
    assertActable(context.link, context.envelope)
    if (!context.envelope.otpRequired) throw new DomainError('OTP_NOT_REQUIRED')
    return checkOtp(core, context, input, origin)
  })
  const message = MESSAGES[verdict.result]
  if (verdict.result === 'verified') return { verified: true, message }
  return { verified: false, message, triesLeft: verdict.result === 'wrong' ? verdict.triesLeft : 0 }
}
