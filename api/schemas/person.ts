// A person of the organisation.
import { PersonId } from '#core/ids.ts'
import { MAX_PASSWORD_CHARACTERS } from '#core/limits.ts'
import { z } from 'zod'
import { DateTime, Uuid } from './scalars.ts'
import { Email, Name, text } from './text.ts'

const Role = z.enum(['ADMIN', 'MEMBER'])

export const PersonPath = z.object({ id: PersonId })
export const InvitePersonBody = z.object({ email: Email, name: Name, role: Role })

export const UpdatePersonBody = z.object({ name: Name.optional(), role: Role.optional() })

export const PersonResponse = z
  .object({
    id: Uuid,
    email: z.string(),
    name: z.string(),
    role: Role,
    state: z.enum(['INVITED', 'ACTIVE']).meta({ description: 'INVITED until the person sets a password or signs in.' }),
    createdAt: DateTime,
    lastSignedInAt: DateTime.nullable(),
    setupLinkExpiresAt: DateTime.nullable().meta({ description: 'When the link to set a password expires, if there is one.' }),
    secondFactor: z.boolean().meta({ description: 'Has set up a second factor for the sign-in with a password.' }),
  })
  .meta({ id: 'PersonResponse' })
export type PersonResponse = z.output<typeof PersonResponse>

export const SetPasswordBody = z.object({
  setupToken: z.string().min(1).max(1_000),
  password: text(MAX_PASSWORD_CHARACTERS),
})

export const ChangePasswordBody = z.object({
  currentPassword: z.string().min(1).max(1_000),
  newPassword: text(MAX_PASSWORD_CHARACTERS),
})
