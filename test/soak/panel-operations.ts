// What an administrator does in the panel.
import { createWebhook } from '#core/webhook/create-webhook.ts'
import { deleteWebhook } from '#core/webhook/delete-webhook.ts'
import { rotateSecret } from '#core/webhook/rotate-secret.ts'
import { updateWebhook } from '#core/webhook/update-webhook.ts'
import { WebhookId } from '#core/ids.ts'
import { EVENT_TYPES } from '#core/messaging/subjects.ts'
import { change, type Operation, type OperationContext } from './operation.ts'

async function create({ world: { core, admin, urlOf }, journal, roll }: OperationContext): Promise<void> {
  const url = urlOf(`panel-${journal.next()}`)
  const { id } = await createWebhook(core, admin, { url, eventTypes: EVENT_TYPES.slice(roll(EVENT_TYPES.length)) })
  journal.add({ origin: 'API', id, name: `api-${id}` })
}

const edit = change('API', ({ world: { core, admin, urlOf }, journal, roll }, { id, expected }) => {
  const number = journal.next()
  const description = `edited ${number}`
  const url = roll(3) === 0 ? { url: urlOf(`moved-${number}`) } : {}
  return {
    run: () => updateWebhook(core, admin, WebhookId.parse(id), { description, ...url }),
    done: () => (expected.description = [description]),
    unsure: () => (expected.description = [...(expected.description ?? ['']), description]),
  }
})

const toggle = change('API', ({ world: { core, admin }, roll }, { id, expected }) => {
  const enabled = roll(2) === 0
  return {
    run: () => updateWebhook(core, admin, WebhookId.parse(id), { enabled }),
    done: () => (expected.disabledByAdmin = [!enabled]),
    unsure: () => (expected.disabledByAdmin = [true, false]),
  }
})

const rotate = change('API', ({ world: { core, admin } }, { id, rotations }) => ({
  run: () => rotateSecret(core, admin, WebhookId.parse(id)),
  done: () => (rotations.sure += 1),
  unsure: () => (rotations.unsure += 1),
}))

const remove = change('API', ({ world: { core, admin } }, subject) => ({
  run: () => deleteWebhook(core, admin, WebhookId.parse(subject.id)),
  done: () => (subject.state = 'deleted'),
  unsure: () => (subject.state = 'unsure'),
}))

export const PANEL_OPERATIONS: Readonly<Record<string, Operation>> = {
  'panel: create': { share: 6, run: create },
  'panel: edit': { share: 8, run: edit },
  'panel: switch': { share: 4, run: toggle },
  'panel: rotate': { share: 4, run: rotate },
  'panel: delete': { share: 3, run: remove },
}
