// The token is valid and its credential may read the resource, but lacks the permission: 403 without a body.
import type { Permission } from './rules.ts'

export class ForbiddenError extends Error {
  override readonly name = 'ForbiddenError'
  readonly permission: Permission

  constructor(permission: Permission) {
    super(`This needs the permission ${permission}.`)
    this.permission = permission
  }
}
