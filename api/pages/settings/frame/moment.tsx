// A time as text, with the exact time on hover and in the datetime attribute.
import { formatDistance, formatExactly, formatMoment } from '../locales/format.ts'

export interface MomentProps {
  at: string
  /** `distance` for recent times: "3 hours ago". */
  as: 'moment' | 'distance'
  /** The text around it. */
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
