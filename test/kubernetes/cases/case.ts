// A rule of a custom resource with a specification that the API server accepts and one that it refuses.

export interface Case {
  rule: string
  accepted: object
  refused: object
  /** A part of the answer. */
  because: string
}

/** A rule about how an object may change. */
export interface Change {
  rule: string
  before: object
  accepted: object
  refused: object
  because: string
}
