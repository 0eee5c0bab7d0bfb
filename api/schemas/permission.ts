// What a credential or a person may do in a workspace, on the wire.
import { PERMISSIONS } from '#core/account/workspace/rules.ts'
import { z } from 'zod'

const Permission = z.enum(PERMISSIONS).meta({ id: 'Permission' })

export const PermissionsResponse = z.array(Permission).describe('Always contains `envelope:read`.')

/** As asked for: any number of the five, none twice. */
export const PermissionsBody = z
  .array(Permission)
  .refine((permissions) => new Set(permissions).size === permissions.length, 'must not name a permission twice')
  .describe('`envelope:read` is always included and can be left out.')
