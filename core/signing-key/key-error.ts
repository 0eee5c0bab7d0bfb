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

/** Why a key that was not made here is not rotated by a request. */
export function needsMaterial(orgId: string | null): string {
  const option = orgId === null ? '' : ` --org ${orgId}`
  return `This signing key was not made here, so that its next version has to be imported: sealwright key import --p12 FILE${option}`
}
