// The signing secret: shown once if it was made elsewhere, rotated, and the previous one revoked early.
import { useMemo, useState } from 'react'
import { ActionButton } from '../../components/action-button.tsx'
import { formatSeconds } from '../../components/countdown.ts'
import { Notice } from '../../components/notice.tsx'
import { useSecondsLeft } from '../../components/use-seconds-left.ts'
import type { Webhook, WebhookWithSecret } from '../data/records.ts'
import { useAction } from '../data/use-action.ts'
import { Section } from '../frame/area.tsx'
import { ConfirmDialog } from '../frame/confirm-dialog.tsx'
import { useFlash } from '../frame/flash.tsx'
import { panelFailureText } from '../locales/panel-failure-text.ts'
import { texts } from '../locales/texts.ts'
import { useSessionStore } from '../session/session-context.ts'
import { WebhookSecretDialog } from './webhook-secret-dialog.tsx'

interface SecretProps {
  webhook: Webhook
  onChange: () => void
}

export function SecretSection({ webhook, onChange }: SecretProps) {
  const [shown, setShown] = useState<{ title: string; webhook: WebhookWithSecret }>()
  const show = (title: string) => (answer: WebhookWithSecret) => {
    setShown({ title, webhook: answer })
    onChange()
  }
  return (
    <Section title={texts.webhooks.rotate} hint={texts.webhooks.rotateHint}>
      {!webhook.secretShown && <Reveal webhook={webhook} onShown={show(texts.webhooks.rotatedTitle)} />}
      <Rotation webhook={webhook} onShown={show(texts.webhooks.rotatedTitle)} onChange={onChange} />
      {shown && <WebhookSecretDialog {...shown} onStored={() => setShown(undefined)} />}
    </Section>
  )
}

interface ShowingProps {
  webhook: Webhook
  onShown: (answer: WebhookWithSecret) => void
}

function Reveal({ webhook, onShown }: ShowingProps) {
  const store = useSessionStore()
  const reveal = useAction(
    () => store.call<WebhookWithSecret>({ method: 'POST', path: `/webhooks/${webhook.id}/reveal-secret` }),
    onShown,
  )
  return (
    <>
      <Notice tone="info">{texts.webhooks.unshown}</Notice>
      <ActionButton look="secondary" isPending={reveal.isRunning} onPress={() => void reveal.run()}>
        {texts.webhooks.reveal}
      </ActionButton>
      {reveal.failure && <Notice tone="warning">{panelFailureText(reveal.failure)}</Notice>}
    </>
  )
}

/** One rotation at a time. */
function Rotation({ webhook, onShown, onChange }: ShowingProps & SecretProps) {
  const previousEnd = webhook.previousSecretExpiresAt
  if (previousEnd) return <PreviousSecret webhook={webhook} end={previousEnd} onChange={onChange} />
  return <Rotate webhook={webhook} onShown={onShown} />
}

function Rotate({ webhook, onShown }: ShowingProps) {
  const store = useSessionStore()
  const [isConfirming, setConfirming] = useState(false)
  const rotate = useAction(
    () => store.call<WebhookWithSecret>({ method: 'POST', path: `/webhooks/${webhook.id}/rotate-secret` }),
    (answer) => {
      setConfirming(false)
      onShown(answer)
    },
  )
  return (
    <>
      <ActionButton look="secondary" onPress={() => setConfirming(true)}>
        {texts.webhooks.rotateConfirm}
      </ActionButton>
      {isConfirming && (
        <ConfirmDialog
          title={texts.webhooks.rotateTitle}
          body={texts.webhooks.rotateHint}
          confirm={texts.webhooks.rotateConfirm}
          look="primary"
          action={rotate}
          onClose={() => setConfirming(false)}
        />
      )}
    </>
  )
}

function PreviousSecret({ webhook, end, onChange }: SecretProps & { end: string }) {
  const store = useSessionStore()
  const say = useFlash()
  const [isConfirming, setConfirming] = useState(false)
  const seconds = useSecondsLeft(useMemo(() => Date.parse(end), [end]))
  const revoke = useAction(
    () => store.call<undefined>({ method: 'POST', path: `/webhooks/${webhook.id}/revoke-previous-secret` }),
    () => {
      setConfirming(false)
      say(texts.webhooks.previousEnded)
      onChange()
    },
  )
  return (
    <>
      <div className="notice notice-info countdown-line">{texts.webhooks.endsIn(formatSeconds(seconds))}</div>
      <ActionButton look="secondary" onPress={() => setConfirming(true)}>
        {texts.webhooks.endPrevious}
      </ActionButton>
      {isConfirming && (
        <ConfirmDialog
          title={texts.webhooks.endPreviousTitle}
          body={texts.webhooks.endPreviousBody}
          confirm={texts.webhooks.endPrevious}
          look="danger"
          action={revoke}
          onClose={() => setConfirming(false)}
        />
      )}
    </>
  )
}
