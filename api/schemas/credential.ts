// Credentials in the panel: everything but the secret, which is shown once.
import { CredentialId, WorkspaceId } from '#core/ids.ts'
import { z } from 'zod'
import { PermissionsBody, PermissionsResponse } from './permission.ts'
import { DateTime, Uuid } from './scalars.ts'
import { Name } from './text.ts'

export const CredentialPath = z.object({ id: CredentialId })

const CredentialName = Name.describe('A display name. The credential authenticates with its client id.')

const Workspaces = z
  .array(z.object({ workspaceId: WorkspaceId, permissions: PermissionsBody }))
  .refine(
    (grants) => new Set(grants.map(({ workspaceId }) => workspaceId)).size === grants.length,
    'must not name a workspace twice',
  )
  .describe('Permissions per workspace. The credential has no access to other workspaces.')

export const CreateCredentialBody = z.object({ name: CredentialName, workspaces: Workspaces })

export const UpdateCredentialBody = z.object({
  name: CredentialName.optional(),
  workspaces: Workspaces.optional().describe('Replaces all permissions.'),
})

export const CredentialResponse = z
  .object({
    id: Uuid,
    clientId: z.string(),
    name: z.string(),
    workspaces: z.array(z.object({ workspaceId: Uuid, permissions: PermissionsResponse })),
    createdAt: DateTime,
    lastUsedAt: DateTime.optional().describe('When it last obtained an access token.'),
    revokedAt: DateTime.optional().describe('When it was revoked.'),
    secretLastFour: z
      .string()
      .nullable()
      .describe('The last four characters of the newest secret. Null for a client of an external issuer.'),
    issuer: z.string().optional().describe('The external issuer of its tokens, if any.'),
    previousSecretExpiresAt: DateTime.optional().describe('When the previous secret expires.'),
  })
  .meta({ id: 'CredentialResponse' })
export type CredentialResponse = z.output<typeof CredentialResponse>

export const NewCredentialResponse = CredentialResponse.extend({
  clientSecret: z.string().describe('Shown only once.'),
}).meta({ id: 'NewCredentialResponse' })
export type NewCredentialResponse = z.output<typeof NewCredentialResponse>
