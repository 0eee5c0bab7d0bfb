// What the embedded run's webhook receiver got, without the receiver.
import type { ReceivedRequest, ReceiverBehaviour, WebhookInbox } from '../../../api/http/mounts/dev-webhooks/inbox.ts'

/** Shows these requests; its behaviour can be set. */
export function anInbox(requests: readonly ReceivedRequest[] = []): WebhookInbox {
  let behaviour: ReceiverBehaviour = { status: 200 }
  return {
    endpointUrl: 'https://127.0.0.1:4430/',
    requests: () => requests,
    behaviour: () => behaviour,
    setBehaviour: (next) => (behaviour = next),
  }
}
