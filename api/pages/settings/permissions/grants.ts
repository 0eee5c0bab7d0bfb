// The permissions of a credential or member while they are edited. Pure. Every permission includes read access to the workspace.
import { type Grant, type Permission, PERMISSIONS } from '../data/records.ts'

/** Permissions by workspace or person ID; an ID without an entry has no access. */
export type Choices = Readonly<Record<string, readonly Permission[]>>

export function choicesOf(grants: readonly Grant[]): Choices {
  return Object.fromEntries(grants.map(({ workspaceId, permissions }) => [workspaceId, permissions]))
}

/** The reverse conversion, without empty grants. */
export function grantsOf(choices: Choices): Grant[] {
  return Object.entries(choices)
    .filter(([, permissions]) => permissions.length > 0)
    .map(([workspaceId, permissions]) => ({ workspaceId, permissions: [...permissions] }))
}

/** Toggles one permission. Any other permission adds read; removing read removes all. */
export function withPermission(held: readonly Permission[], permission: Permission, isHeld: boolean): Permission[] {
  if (permission === 'envelope:read')
    return isHeld ? PERMISSIONS.filter((each) => each === permission || held.includes(each)) : []
  return PERMISSIONS.filter((each) =>
    each === permission ? isHeld : held.includes(each) || (each === 'envelope:read' && isHeld),
  )
}

/** Grants all permissions, or none. */
export function withAll(isHeld: boolean): Permission[] {
  return isHeld ? [...PERMISSIONS] : []
}

export function holdsAll(held: readonly Permission[]): boolean {
  return PERMISSIONS.every((permission) => held.includes(permission))
}
