// Credentials in the panel: everything but the secret, which is shown once.
import { CredentialId, WorkspaceId } from '#core/ids.ts'
import { z } from 'zod'
import { PermissionsBody, PermissionsResponse } from './permission.ts'
import { DateTime, Uuid } from './scalars.ts'
import { Name } from './text.ts'

export const CredentialPath = z.object({ id: CredentialId })

const CredentialName = Name.describe('For people; the credential calls itself by its client id.')

const Workspaces = z
  .array(z.object({ workspaceId: WorkspaceId, permissions: PermissionsBody }))
  .refine(
    (grants) => new Set(grants.map(({ workspaceId }) => workspaceId)).size === grants.length,
    'must not name a workspace twice',
  )
  .describe('Where it may do what. In every other workspace it sees nothing.')

export const CreateCredentialBody = z.object({ name: CredentialName, workspaces: Workspaces })

export const UpdateCredentialBody = z.object({
  name: CredentialName.optional(),
  workspaces: Workspaces.optional().describe('Replaces every role that there was.'),
})

export const CredentialResponse = z
  .object({
    id: Uuid,
    clientId: z.string(),
    name: z.string(),
    workspaces: z.array(z.object({ workspaceId: Uuid, permissions: PermissionsResponse })),
    createdAt: DateTime,
    lastUsedAt: DateTime.optional().describe('When it last got an access token.'),
    revokedAt: DateTime.optional().describe('Since when it gets no more tokens.'),
    secretLastFour: z
      .string()
      .nullable()
      .describe('The last four characters of the newest secret; null for a client of an outside issuer.'),
    issuer: z.string().optional().describe('Who issues its tokens, when that is a trusted outside issuer.'),
    previousSecretExpiresAt: DateTime.optional().describe('Until when the secret before the newest is valid too.'),
  })
  .meta({ id: 'CredentialResponse' })
export type CredentialResponse = z.output<typeof CredentialResponse>

export const NewCredentialResponse = CredentialResponse.extend({
  clientSecret: z.string().describe('Shown this once.'),
}).meta({ id: 'NewCredentialResponse' })
export type NewCredentialResponse = z.output<typeof NewCredentialResponse>
