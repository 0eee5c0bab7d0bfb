// The second factor of people who sign in with a password.
import { RECOVERY_CODES } from '#core/limits.ts'
import { z } from 'zod'
import { Int32 } from './scalars.ts'

/** Code as it was typed; it may hold spaces and hyphens. */
export const Code = z
  .string()
  .min(1)
  .max(100)
  .refine((code) => code.isWellFormed() && !code.includes('\0'), 'must be well-formed Unicode without NUL')
  .describe('Six digits of the authenticator app, or a recovery code. Each works once.')

export const CodeBody = z.object({ code: Code })

export const BeginFactorBody = z.object({ currentPassword: z.string().min(1).max(1_000) })

export const FactorResponse = z
  .object({
    set: z.boolean().describe('Signing in takes a code.'),
    required: z.boolean().describe('The organisation requires a second factor.'),
    recoveryCodesLeft: Int32,
  })
  .meta({ id: 'FactorResponse' })
export type FactorResponse = z.output<typeof FactorResponse>

export const BegunFactorResponse = z
  .object({
    otpauthUri: z.string().describe('For a QR code that an authenticator app reads.'),
    secret: z.string().describe('The same secret for typing, in base32.'),
  })
  .meta({ id: 'BegunFactorResponse' })
export type BegunFactorResponse = z.output<typeof BegunFactorResponse>

export const RecoveryCodesResponse = z
  .object({ recoveryCodes: z.array(z.string()).describe(`${RECOVERY_CODES} codes, shown this once.`) })
  .meta({ id: 'RecoveryCodesResponse' })
export type RecoveryCodesResponse = z.output<typeof RecoveryCodesResponse>
