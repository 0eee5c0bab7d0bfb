// One webhook: its state, a test, its latest deliveries, and its settings.
import { codeOf } from '../../http/failure.ts'
import type { DeliveryPage, Webhook } from '../data/records.ts'
import { ResourceView } from '../data/resource-view.tsx'
import { useAction } from '../data/use-action.ts'
import { usePolling } from '../data/use-polling.ts'
import { type Resource, useResource } from '../data/use-resource.ts'
import { Area, Section } from '../frame/area.tsx'
import { useFlash } from '../frame/flash.tsx'
import { UnknownArea } from '../frame/unknown-area.tsx'
import { texts } from '../locales/texts.ts'
import { useSessionStore } from '../session/session-context.ts'
import { LatestDeliveries } from './deliveries/latest-deliveries.tsx'
import { TestSection } from './test-section.tsx'
import { useWebhookTest } from './use-webhook-test.ts'
import { addressOfUrl } from './webhook-address.ts'
import { WebhookFacts } from './webhook-facts.tsx'
import { WebhookForm, type WebhookInput } from './webhook-form.tsx'
import { WebhookNotices } from './webhook-notices.tsx'
import { SecretSection } from './webhook-secret.tsx'
import { WebhookStatePill } from './webhook-state-pill.tsx'
import { DeleteSection, SwitchSection } from './webhook-switch.tsx'

const POLL_MS = 5_000
const LATEST = 5

export function WebhookArea({ id }: { id: string }) {
  const webhook = useResource<Webhook>(`/webhooks/${id}`)
  const deliveries = useResource<DeliveryPage>(`/webhooks/${id}/deliveries?page=0&size=${LATEST}`)
  usePolling(() => Promise.all([webhook.refresh(), deliveries.refresh()]), POLL_MS)
  const { loaded } = webhook
  if (loaded.phase === 'failed' && isGone(codeOf(loaded.failure))) return <UnknownArea />
  return (
    <Area
      title={loaded.phase === 'ready' ? addressOfUrl(loaded.value.url).host : texts.webhooks.one}
      mark={loaded.phase === 'ready' && <WebhookStatePill webhook={loaded.value} />}
      parent={{ place: { area: 'webhooks' }, name: texts.webhooks.title }}
    >
      <ResourceView resource={webhook} lines={8}>
        {(value) => <LoadedWebhook webhook={value} resource={webhook} deliveries={deliveries} />}
      </ResourceView>
    </Area>
  )
}

/** A mistyped URL: an invalid ID is treated like an unknown one. */
function isGone(code: string | undefined): boolean {
  return code === 'WEBHOOK_NOT_FOUND' || code === 'VALIDATION_FAILED'
}

interface LoadedWebhookProps {
  webhook: Webhook
  resource: Resource<Webhook>
  deliveries: Resource<DeliveryPage>
}

function LoadedWebhook({ webhook, resource, deliveries }: LoadedWebhookProps) {
  const onChange = () => {
    void resource.refresh()
    void deliveries.refresh()
  }
  const test = useWebhookTest(webhook.id, onChange)
  const isManagedHere = webhook.origin === 'API'
  return (
    <>
      <WebhookNotices webhook={webhook} test={test} />
      <div className="columns">
        <div className="column">
          <TestSection webhook={webhook} test={test} />
          <LatestDeliveries webhookId={webhook.id} deliveries={deliveries} />
          {isManagedHere && <SettingsSection webhook={webhook} onSaved={resource.put} />}
          {isManagedHere && <SecretSection webhook={webhook} onChange={onChange} />}
          {isManagedHere && <SwitchSection webhook={webhook} onSwitched={resource.put} onChange={onChange} />}
          {isManagedHere && <DeleteSection webhook={webhook} />}
        </div>
        <WebhookFacts webhook={webhook} />
      </div>
    </>
  )
}

function SettingsSection({ webhook, onSaved }: { webhook: Webhook; onSaved: (webhook: Webhook) => void }) {
  const store = useSessionStore()
  const say = useFlash()
  const save = useAction(
    (input: WebhookInput) => store.call<Webhook>({ method: 'PATCH', path: `/webhooks/${webhook.id}`, body: { ...input } }),
    (saved) => {
      say(texts.webhooks.saved)
      onSaved(saved)
    },
  )
  return (
    <Section title={texts.webhooks.settings}>
      <WebhookForm initial={webhook} submit={texts.words.save} action={save} />
    </Section>
  )
}
