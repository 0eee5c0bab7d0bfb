// What a credential or a member may do where, while it is being chosen. Pure. Whoever holds any permission in a workspace may read it.
import { type Grant, type Permission, PERMISSIONS } from '../data/records.ts'

/** Permissions by workspace or by person; an id without an entry has no access. */
export type Choices = Readonly<Record<string, readonly Permission[]>>

export function choicesOf(grants: readonly Grant[]): Choices {
  return Object.fromEntries(grants.map(({ workspaceId, permissions }) => [workspaceId, permissions]))
}

/** The other way round, leaving out what grants nothing. */
export function grantsOf(choices: Choices): Grant[] {
  return Object.entries(choices)
    .filter(([, permissions]) => permissions.length > 0)
    .map(([workspaceId, permissions]) => ({ workspaceId, permissions: [...permissions] }))
}

/** Ticks or unticks one permission. Any other brings reading along; without reading there is nothing. */
export function withPermission(held: readonly Permission[], permission: Permission, isHeld: boolean): Permission[] {
  if (permission === 'envelope:read')
    return isHeld ? PERMISSIONS.filter((each) => each === permission || held.includes(each)) : []
  return PERMISSIONS.filter((each) =>
    each === permission ? isHeld : held.includes(each) || (each === 'envelope:read' && isHeld),
  )
}

/** All of them, or none. */
export function withAll(isHeld: boolean): Permission[] {
  return isHeld ? [...PERMISSIONS] : []
}

export function holdsAll(held: readonly Permission[]): boolean {
  return PERMISSIONS.every((permission) => held.includes(permission))
}
