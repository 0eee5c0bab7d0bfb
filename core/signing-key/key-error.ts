// Why an operation on a signing key is refused.

export type KeyRefusal =
  | 'NotFound'
  | 'Retired'
  | 'NeedsMaterial'
  | 'InstallationKey'
  | 'ManagedByKubernetes'
  | 'AnotherKeyActive'
  | 'OrganisationUnknown'
  | 'SelfSignedNotAllowed'
  | 'UnusableMaterial'
  | 'FutureTime'
  | 'Compromised'

/** The message is for the operator and says what to do. */
export class KeyRefusedError extends Error {
  override readonly name = 'KeyRefusedError'
  readonly reason: KeyRefusal

  constructor(reason: KeyRefusal, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.reason = reason
  }
}

/** No usable version of a signing key for now: the job waits and is retried. */
export class SigningKeyUnusableError extends Error {
  override readonly name = 'SigningKeyUnusableError'
}
