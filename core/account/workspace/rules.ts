// Permissions in a workspace. A role on a workspace always includes reading it.
export const PERMISSIONS = ['envelope:read', 'envelope:create', 'envelope:send', 'envelope:cancel', 'document:download'] as const
export type Permission = (typeof PERMISSIONS)[number]

/** What a caller holds on one workspace; `undefined` without any role. */
export type Role = readonly Permission[] | undefined

/** True when the role holds the permission; every role includes reading. */
export function holds(role: Role, permission: Permission): boolean {
  return role !== undefined && (permission === 'envelope:read' || role.includes(permission))
}

/** The effective permissions of a grant, reading first, in the order of PERMISSIONS. */
export function withReading(permissions: readonly Permission[]): Permission[] {
  return PERMISSIONS.filter((permission) => holds(permissions, permission))
}
