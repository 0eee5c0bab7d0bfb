// Decides like a HorizontalPodAutoscaler with an external metric and an average value as its target: out at once, in after a time without a need.

export interface Autoscaler {
  /** How many pods there should be, at least 1. `now` in ms. */
  decide(value: number, now: number): number
}

export function newAutoscaler({ target, stableMs }: { target: number; stableMs: number }): Autoscaler {
  const wanted: { at: number; pods: number }[] = []
  return {
    decide(value, now) {
      wanted.push({ at: now, pods: Math.max(1, Math.ceil(value / target)) })
      while (wanted[0] && wanted[0].at < now - stableMs) wanted.shift()
      return Math.max(...wanted.map(({ pods }) => pods))
    },
  }
}
