// Workspaces. Spec, "Workspace".
import { WorkspaceId } from '#core/ids.ts'
import { z } from 'zod'
import { DateTime, Uuid } from './scalars.ts'
import { Name } from './text.ts'

export const WorkspacePath = z.object({ id: WorkspaceId })

export const WorkspaceBody = z.object({
  name: Name.describe('Told apart from the names of the other workspaces whatever its case.'),
})

export const WorkspaceResponse = z
  .object({
    id: Uuid,
    orgId: Uuid,
    name: z.string(),
    isGeneral: z.boolean().describe('True for the one workspace that takes envelopes created without a `workspaceId`.'),
    groupsReady: z.boolean().describe('True once its permission groups exist.'),
    createdAt: DateTime,
  })
  .meta({ id: 'WorkspaceResponse', description: 'A place for envelopes, with its own permissions.' })
export type WorkspaceResponse = z.output<typeof WorkspaceResponse>
