// Shown when there is nothing to sign behind a link, or when the service could not be reached.
import { ActionButton } from '../components/action-button.tsx'
import { ClockIcon, CrossIcon, WarningIcon } from '../components/icons.tsx'
import { MessageCard } from '../components/message-card.tsx'
import { PageFrame } from '../components/page-frame.tsx'
import { Retry } from '../components/retry.tsx'
import type { Failure } from '../http/failure.ts'
import { texts } from '../locales/texts.ts'
import type { ClosedReason } from './ceremony.ts'

/** Only "not your turn" can change, so only it offers a retry. */
export function ClosedCard({ reason, onRetry }: { reason: ClosedReason; onRetry: () => void }) {
  const text = texts.closed[reason]
  return (
    <PageFrame width="card">
      <MessageCard tone="neutral" icon={reason === 'turn' ? <ClockIcon /> : <CrossIcon />} title={text.title}>
        <p>{text.body}</p>
        <p className="muted">{text.advice}</p>
        {reason === 'turn' && (
          <ActionButton look="secondary" onPress={onRetry}>
            {texts.signed.checkAgain}
          </ActionButton>
        )}
      </MessageCard>
    </PageFrame>
  )
}

export function UnreachableCard({ failure, onRetry }: { failure: Failure; onRetry: () => void }) {
  return (
    <PageFrame width="card">
      <MessageCard tone="warning" icon={<WarningIcon />} title={texts.unreachable.title}>
        <Retry failure={failure} onRetry={onRetry} />
      </MessageCard>
    </PageFrame>
  )
}
