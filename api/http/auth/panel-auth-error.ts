// Thrown when the panel rejects a request. The response has no body and no WWW-Authenticate, which would make browsers prompt for a
// password.

/** 401: no session, or wrong email or password. 403: only admins may do this. */
export class PanelAuthError extends Error {
  override readonly name = 'PanelAuthError'
  readonly status: 401 | 403

  constructor(status: 401 | 403) {
    super(status === 401 ? 'There is no valid session.' : 'Only admins may do this.')
    this.status = status
  }
}
