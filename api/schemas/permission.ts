// Permissions of a credential or a person in a workspace.
import { PERMISSIONS } from '#core/account/workspace/rules.ts'
import { z } from 'zod'

export const Permission = z.enum(PERMISSIONS).meta({ id: 'Permission' })
export type Permission = z.output<typeof Permission>
/** The list itself, for pages: they may not import values. */
export type Permissions = typeof PERMISSIONS

export const PermissionsResponse = z.array(Permission).describe('Always contains `envelope:read`.')

/** The requested permissions: any of the five, without duplicates. */
export const PermissionsBody = z
  .array(Permission)
  .refine((permissions) => new Set(permissions).size === permissions.length, 'must not name a permission twice')
  .describe('`envelope:read` is always included and can be left out.')
