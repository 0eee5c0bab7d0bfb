// What a browser learns about its session.
import { OrgId, PersonId } from '#core/ids.ts'
import { z } from 'zod'

export const SignInBody = z.object({
  // Any text of this length is a wrong address; but the database cannot even be asked for one with NUL.
  email: z
    .string()
    .min(1)
    .max(1_000)
    .refine((email) => email.isWellFormed() && !email.includes('\0'), 'must be well-formed Unicode without NUL'),
  password: z.string().min(1).max(1_000),
})

export const SessionResponse = z
  .object({
    csrfToken: z.string().meta({ description: 'Send it in the header X-CSRF-Token with every change.' }),
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
