// The panel's session as browsers see it.
import { OrgId, PersonId } from '#core/ids.ts'
import { z } from 'zod'

export const SignInBody = z.object({
  // A string that is no email address is a wrong address, not a malformed request; but Postgres rejects a query with NUL.
  email: z
    .string()
    .min(1)
    .max(1_000)
    .refine((email) => email.isWellFormed() && !email.includes('\0'), 'must be well-formed Unicode without NUL'),
  password: z.string().min(1).max(1_000),
})

export const SessionResponse = z
  .object({
    csrfToken: z.string().meta({ description: 'Goes into the header X-CSRF-Token of every change.' }),
    admin: z.object({ id: PersonId, email: z.string(), name: z.string(), role: z.enum(['ADMIN', 'MEMBER']) }),
    organisation: z.object({ id: OrgId, name: z.string() }),
  })
  .meta({ id: 'SessionResponse' })

export const SignInMethodsResponse = z
  .object({ methods: z.array(z.enum(['password', 'oidc'])) })
  .meta({ id: 'SignInMethodsResponse' })

export interface SignedInPerson {
  orgId: OrgId
  personId: PersonId
  email: string
  name: string
  role: 'ADMIN' | 'MEMBER'
  organisationName: string
}

export function toSessionResponse(
  csrfToken: string,
  { orgId, personId, email, name, role, organisationName }: SignedInPerson,
): z.input<typeof SessionResponse> {
  return { csrfToken, admin: { id: personId, email, name, role }, organisation: { id: orgId, name: organisationName } }
}
