// A point in time as text, exactly on hovering and for machines.
import { formatDistance, formatExactly, formatMoment } from '../locales/format.ts'

export interface MomentProps {
  at: string
  /** `distance` for what happened lately: "3 hours ago". */
  as: 'moment' | 'distance'
  /** The sentence around it. */
  words?: (time: string) => string
}

export function Moment({ at, as, words }: MomentProps) {
  const time = as === 'moment' ? formatMoment(at) : formatDistance(at, Date.now())
  return (
    <time dateTime={at} title={formatExactly(at)}>
      {words ? words(time) : time}
    </time>
  )
}
