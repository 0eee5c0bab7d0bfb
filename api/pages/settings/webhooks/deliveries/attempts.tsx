// Every attempt of a delivery, oldest first.
import type { DeliveryAttempt, DeliveryWithBody } from '../../data/records.ts'
import { Section } from '../../frame/area.tsx'
import { Moment } from '../../frame/moment.tsx'
import { formatDuration, formatExactly } from '../../locales/format.ts'
import { texts } from '../../locales/texts.ts'
import { AttemptError } from './attempt-error.tsx'

export function Attempts({ delivery }: { delivery: DeliveryWithBody }) {
  const { attempts, nextAttemptAt, status } = delivery
  return (
    <Section title={texts.deliveries.attemptsTitle}>
      {attempts.length === 0 && (
        <p className="muted">{status === 'WAITING' ? texts.deliveries.notYetTried : texts.deliveries.noAttempts}</p>
      )}
      <ol className="trail">
        {attempts.map((attempt) => (
          <li key={attempt.at} className={attempt.errorCode ? 'trail-step trail-failed' : 'trail-step'}>
            <p>
              <strong>{titleOf(attempt)}</strong> {texts.deliveries.after(formatDuration(attempt.durationMs))}
            </p>
            {attempt.errorCode && <AttemptError error={attempt} />}
            <p className="hint">
              <time dateTime={attempt.at}>{formatExactly(attempt.at)}</time>
            </p>
          </li>
        ))}
        {nextAttemptAt && (
          <li className="trail-step trail-next">
            <p className="muted">
              {texts.deliveries.nextAttempt} <Moment at={nextAttemptAt} as="distance" />
            </p>
          </li>
        )}
      </ol>
    </Section>
  )
}

function titleOf({ responseStatus, errorCode }: DeliveryAttempt): string {
  if (responseStatus === undefined) return texts.deliveries.unanswered
  return errorCode ? texts.deliveries.failed(responseStatus) : texts.deliveries.accepted(responseStatus)
}
