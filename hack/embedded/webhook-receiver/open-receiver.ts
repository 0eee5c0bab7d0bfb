// Adds the webhook receiver to the embedded run, where the /dev pages exist.
import { hasDevPages } from '../../../api/http/middleware/on-this-machine.ts'
import type { WebhookInbox } from '../../../api/http/mounts/dev-webhooks/inbox.ts'
import type { StorelessCore } from '#core/context.ts'
import type { ProcessSettings } from '#core/installation/open-core.ts'
import { checkDelivery } from '#core/webhook/check-delivery.ts'
import type { PartsOptions } from '../open-parts.ts'
import { startReceiver } from './start-receiver.ts'

export interface OpenedReceiver {
  /** With the receiver's address, at which webhooks are allowed. */
  settings: ProcessSettings
  inbox?: WebhookInbox
  /** Gives it the database of the system role, in which it finds the secrets. Its requests wait for it. */
  checkWith: (core: StorelessCore) => void
}

/** The stack stops it. */
export async function openReceiver(
  settings: ProcessSettings,
  { folder, log, stack, signal }: Omit<PartsOptions, 'identity'>,
): Promise<OpenedReceiver> {
  const { promise: core, resolve: checkWith } = Promise.withResolvers<StorelessCore>()
  if (!hasDevPages(settings)) return { settings, checkWith }
  const receiver = stack.use(
    await startReceiver({ folder, log, signal, check: async (port, request) => checkDelivery(await core, port, request) }),
  )
  return { settings: { ...settings, webhookReceiver: receiver.address }, inbox: receiver.inbox, checkWith }
}
