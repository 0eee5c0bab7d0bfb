// Times of the field `datetime-local`, which are local and have no zone. Pure.

/** The field's value for a time, to the minute. */
export function localInputOf(time: Date): string {
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}

/** The time that the field means, in UTC; undefined while it is incomplete. */
export function instantOf(input: string): string | undefined {
  const time = new Date(input)
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}
