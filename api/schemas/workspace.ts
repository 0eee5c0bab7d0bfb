// Workspaces. Spec, "Workspace".
import { WorkspaceId } from '#core/ids.ts'
import { z } from 'zod'
import { DateTime, Uuid } from './scalars.ts'
import { Name } from './text.ts'

export const WorkspacePath = z.object({ id: WorkspaceId })

export const WorkspaceBody = z.object({
  name: Name.describe('Unique among the workspaces, ignoring case.'),
})

export const WorkspaceResponse = z
  .object({
    id: Uuid,
    orgId: Uuid,
    name: z.string(),
    isGeneral: z.boolean().describe('True for the workspace that gets envelopes created without a `workspaceId`.'),
    groupsReady: z.boolean().describe('True after its permission groups were created.'),
    createdAt: DateTime,
  })
  .meta({ id: 'WorkspaceResponse', description: 'A group of envelopes with its own permissions.' })
export type WorkspaceResponse = z.output<typeof WorkspaceResponse>
