// Enabling, disabling and deleting a webhook, with what happens to the deliveries that wait.
import { useState } from 'react'
import { ActionButton } from '../../components/action-button.tsx'
import type { Webhook } from '../data/records.ts'
import { useAction } from '../data/use-action.ts'
import { Section } from '../frame/area.tsx'
import { ConfirmDialog } from '../frame/confirm-dialog.tsx'
import { useFlash } from '../frame/flash.tsx'
import { texts } from '../locales/texts.ts'
import { goTo } from '../routing/use-place.ts'
import { useSessionStore } from '../session/session-context.ts'
import { addressOfUrl } from './webhook-address.ts'

export interface SwitchSectionProps {
  webhook: Webhook
  onSwitched: (webhook: Webhook) => void
  onChange: () => void
}

export function SwitchSection({ webhook, onSwitched, onChange }: SwitchSectionProps) {
  const store = useSessionStore()
  const say = useFlash()
  const [isConfirming, setConfirming] = useState(false)
  // A suspension is not ended here.
  const isEnabling = (webhook.disabledReasons ?? []).some((reason) => reason !== 'SUSPENDED')
  const flip = useAction(
    () => store.call<Webhook>({ method: 'PATCH', path: `/webhooks/${webhook.id}`, body: { enabled: isEnabling } }),
    (saved) => {
      setConfirming(false)
      say(isEnabling ? (saved.enabled ? texts.webhooks.enabledDone : texts.webhooks.stillSuspended) : texts.webhooks.disabledDone)
      onSwitched(saved)
      onChange()
    },
  )
  const name = isEnabling ? texts.webhooks.enable : texts.webhooks.disable
  return (
    <Section title={texts.webhooks.switchSection} hint={webhook.enabled ? texts.webhooks.switchOn : texts.webhooks.switchOff}>
      <ActionButton look="secondary" onPress={() => setConfirming(true)}>
        {name}
      </ActionButton>
      {isConfirming && (
        <ConfirmDialog
          title={isEnabling ? texts.webhooks.enableTitle : texts.webhooks.disableTitle}
          body={isEnabling ? texts.webhooks.enableBody : texts.webhooks.disableBody}
          confirm={name}
          look={isEnabling ? 'primary' : 'danger'}
          action={flip}
          onClose={() => setConfirming(false)}
        />
      )}
    </Section>
  )
}

export function DeleteSection({ webhook }: { webhook: Webhook }) {
  const store = useSessionStore()
  const say = useFlash()
  const [isConfirming, setConfirming] = useState(false)
  const remove = useAction(
    () => store.call<undefined>({ method: 'DELETE', path: `/webhooks/${webhook.id}` }),
    () => {
      setConfirming(false)
      say(texts.webhooks.removed)
      goTo({ area: 'webhooks' }, 'replace')
    },
  )
  return (
    <Section title={texts.webhooks.removeSection} hint={texts.webhooks.removeHint}>
      <ActionButton look="danger" onPress={() => setConfirming(true)}>
        {texts.webhooks.remove}
      </ActionButton>
      {isConfirming && (
        <ConfirmDialog
          title={texts.webhooks.removeTitle(addressOfUrl(webhook.url).host)}
          body={texts.webhooks.removeBody}
          confirm={texts.webhooks.remove}
          look="danger"
          action={remove}
          onClose={() => setConfirming(false)}
        />
      )}
    </Section>
  )
}
