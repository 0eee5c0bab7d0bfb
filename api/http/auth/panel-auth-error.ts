// Thrown where the panel turns somebody away; answered without a body, and without WWW-Authenticate: browsers would ask for a password.

/** 401: no session, or no such person and password. 403: an admin's affair. */
export class PanelAuthError extends Error {
  override readonly name = 'PanelAuthError'
  readonly status: 401 | 403

  constructor(status: 401 | 403) {
    super(status === 401 ? 'Nobody is signed in.' : 'Only admins may do this.')
    this.status = status
  }
}
