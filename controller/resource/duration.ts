// Durations as Kubernetes writes them: hours, minutes and seconds. Pure.

/** `1h30m` as seconds. */
export function secondsOf(duration: string): number {
  const [, hours = 0, minutes = 0, seconds = 0] = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(duration) ?? []
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
}
