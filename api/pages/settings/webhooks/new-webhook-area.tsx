// Creates a webhook and shows its secret once.
import { useState } from 'react'
import { EVENT_TYPES, type WebhookWithSecret } from '../data/records.ts'
import { useAction } from '../data/use-action.ts'
import { Area } from '../frame/area.tsx'
import { texts } from '../locales/texts.ts'
import { goTo } from '../routing/use-place.ts'
import { useSessionStore } from '../session/session-context.ts'
import { WebhookForm, type WebhookInput } from './webhook-form.tsx'
import { WebhookSecretDialog } from './webhook-secret-dialog.tsx'

const EMPTY: WebhookInput = { url: '', description: '', eventTypes: EVENT_TYPES }

export function NewWebhookArea() {
  const store = useSessionStore()
  const [created, setCreated] = useState<WebhookWithSecret>()
  const create = useAction(
    (input: WebhookInput) => store.call<WebhookWithSecret>({ method: 'POST', path: '/webhooks', body: { ...input } }),
    setCreated,
  )
  return (
    <Area title={texts.webhooks.newTitle} parent={{ place: { area: 'webhooks' }, name: texts.webhooks.title }}>
      <div className="sheet">
        <WebhookForm initial={EMPTY} submit={texts.webhooks.create} action={create} />
      </div>
      {created && (
        <WebhookSecretDialog
          title={texts.webhooks.secretTitle}
          webhook={created}
          onStored={() => goTo({ area: 'webhook', id: created.id }, 'replace')}
        />
      )}
    </Area>
  )
}
