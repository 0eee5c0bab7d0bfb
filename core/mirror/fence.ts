// The number of the controller that leads. It goes with every change that a controller makes for Kubernetes.
export interface Fence {
  /** How often the leader has changed, as the controller's Lease counts it. */
  transitions: number
}

/** Another controller leads. The caller must stop; `current` is the number that a new leader has to exceed. */
export class FencedError extends Error {
  override readonly name = 'FencedError'
  readonly current: number | undefined

  constructor({ transitions }: Fence, current: number | undefined) {
    super(`The controller with number ${transitions} does not lead${current === undefined ? '' : `; number ${current} does`}.`)
    this.current = current
  }
}
