// The Secret from which the signing secret of an object is read. A worker reads it, because the controller may read none.

export interface SecretReference {
  namespace: string
  name: string
  key: string
  /** Rotation request of the object: a new one reads the Secret again. */
  rotationRequest: string | null
}

/** `UNAVAILABLE`: the API server refused or did not answer, so that it is not known whether there is such a Secret. */
export type ReferenceFailure = 'MISSING' | 'UNUSABLE' | 'UNAVAILABLE'

export type ReferenceAnswer =
  | { kind: 'WAITING'; /** Since the request. */ forMs: number }
  | { kind: 'FAILED'; failure: ReferenceFailure; /** A sentence for the user. */ message: string }
  | { kind: 'READ'; /** The webhook has this secret. */ isGiven: boolean }

export interface RequestedReference extends SecretReference {
  answer: ReferenceAnswer
}
