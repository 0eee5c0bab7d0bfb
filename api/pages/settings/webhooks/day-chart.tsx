// The last 24 hours of a webhook as a small bar chart, with the sums as its text.
import { texts } from '../locales/texts.ts'
import { barsOf, type Hours, totalOf } from './last-day.ts'

const HEIGHT = 24
const STEP = 4

export function DayChart({ hours }: { hours: Hours }) {
  const { delivered, failed } = totalOf(hours)
  const text = delivered + failed === 0 ? texts.webhooks.lastDayEmpty : texts.webhooks.lastDayOf(delivered, failed)
  return (
    <svg className="day-chart" viewBox={`0 0 ${hours.length * STEP} ${HEIGHT}`} role="img" aria-label={text}>
      <title>{text}</title>
      {barsOf(hours).map((bar, hour) => {
        const failedHeight = bar.failed * HEIGHT
        const deliveredHeight = bar.delivered * HEIGHT
        return (
          <g key={hour}>
            <rect className="day-base" x={hour * STEP} y={HEIGHT - 1} width={STEP - 1} height={1} />
            {deliveredHeight > 0 && (
              <rect
                className="day-delivered"
                x={hour * STEP}
                y={HEIGHT - deliveredHeight}
                width={STEP - 1}
                height={deliveredHeight}
              />
            )}
            {failedHeight > 0 && (
              <rect
                className="day-failed"
                x={hour * STEP}
                y={HEIGHT - deliveredHeight - failedHeight}
                width={STEP - 1}
                height={failedHeight}
              />
            )}
          </g>
        )
      })}
    </svg>
  )
}
