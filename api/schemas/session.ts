// The panel's session as browsers see it.
import { z } from 'zod'
import { Code } from './factor.ts'
import { Uuid } from './scalars.ts'

export const SignInBody = z.object({
  // A string that is no email address is a wrong address, not a malformed request; but Postgres rejects a query with NUL.
  email: z
    .string()
    .min(1)
    .max(1_000)
    .refine((email) => email.isWellFormed() && !email.includes('\0'), 'must be well-formed Unicode without NUL'),
  password: z.string().min(1).max(1_000),
  code: Code.optional(),
})

export const SessionResponse = z
  .object({
    csrfToken: z.string().meta({ description: 'Send it in the header X-CSRF-Token with every change.' }),
    admin: z.object({ id: Uuid, email: z.string(), name: z.string(), role: z.enum(['ADMIN', 'MEMBER']) }),
    organisation: z.object({ id: Uuid, name: z.string() }),
    mustSetUpFactor: z
      .literal(true)
      .optional()
      .meta({ description: 'The organisation requires a second factor, and this person has none: they can only set one up.' }),
  })
  .meta({ id: 'SessionResponse' })
export type SessionResponse = z.output<typeof SessionResponse>

export const FactorRequiredResponse = z
  .object({ factorRequired: z.literal(true) })
  .meta({ id: 'FactorRequiredResponse', description: 'The password was right. There is no session yet.' })
export type FactorRequiredResponse = z.output<typeof FactorRequiredResponse>

export const SignInMethodsResponse = z
  .object({ methods: z.array(z.enum(['password', 'oidc'])) })
  .meta({ id: 'SignInMethodsResponse' })
export type SignInMethodsResponse = z.output<typeof SignInMethodsResponse>
