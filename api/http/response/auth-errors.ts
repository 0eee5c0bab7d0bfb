// Thrown when a request is not authenticated or not permitted. Their responses have no body.

/** A request with an access token: 401 without a valid one, 403 without the role. */
export class UnauthorisedError extends Error {
  override readonly name = 'UnauthorisedError'
  readonly status: 401 | 403
  /** Why the token that was sent is not accepted; undefined when none was sent. */
  readonly invalidToken: string | undefined

  constructor(status: 401 | 403, invalidToken?: string) {
    super(status === 401 ? 'No valid access token.' : 'The access token lacks the role.')
    this.status = status
    this.invalidToken = invalidToken
  }
}

/** 401: no session, or wrong email or password. 403: only admins may do this. No WWW-Authenticate, which would make browsers prompt for a password. */
export class PanelAuthError extends Error {
  override readonly name = 'PanelAuthError'
  readonly status: 401 | 403

  constructor(status: 401 | 403) {
    super(status === 401 ? 'There is no valid session.' : 'Only admins may do this.')
    this.status = status
  }
}
