// What an SRE does with kubectl, and what a restore of etcd does.
import { objectPath } from '#core/platform/kubernetes/kube-object.ts'
import { EVENT_TYPES } from '#core/messaging/subjects.ts'
import { readMirrored } from '#core/webhook/mirror/read-mirrored.ts'
import { WEBHOOK_SUBSCRIPTIONS, type WebhookSubscription } from '../../controller/webhook-subscription/resource.ts'
import type { Subject } from './journal.ts'
import { change, type Operation, type OperationContext, Skipped } from './operation.ts'
import type { SoakWorld } from './soak-world.ts'

const TIMEOUT_MS = 5_000
const PREFIX = 'managed-'

const pathOf = ({ namespace }: SoakWorld, name?: string) => objectPath(WEBHOOK_SUBSCRIPTIONS, namespace, name)

function patch(world: SoakWorld, { name }: Subject, spec: object): Promise<WebhookSubscription> {
  return world.kube.requests.request({
    method: 'PATCH',
    path: pathOf(world, name),
    contentType: 'application/merge-patch+json',
    body: { spec },
    timeoutMs: TIMEOUT_MS,
  })
}

/** Sometimes with the name of an object that disappeared. */
async function create({ world, journal, roll }: OperationContext): Promise<void> {
  const number = journal.next()
  const gone = journal.subjects.filter(({ state, origin }) => state === 'vanished' && origin === 'KUBERNETES')
  const name = roll(4) === 0 ? (gone[roll(Math.max(1, gone.length))]?.name ?? `${PREFIX}${number}`) : `${PREFIX}${number}`
  const body = {
    apiVersion: 'sealwright.io/v1alpha1',
    kind: 'WebhookSubscription',
    metadata: { name },
    spec: {
      orgId: world.admin.orgId,
      url: world.urlOf(`kubectl-${number}`),
      events: EVENT_TYPES.slice(roll(EVENT_TYPES.length)),
    },
  }
  const path = pathOf(world)
  const { metadata } = await world.kube.requests.request<WebhookSubscription>({
    method: 'POST',
    path,
    body,
    timeoutMs: TIMEOUT_MS,
  })
  journal.add({ origin: 'KUBERNETES', id: metadata.uid ?? '', name })
}

const edit = change('KUBERNETES', ({ world, journal, roll }, subject) => {
  const number = journal.next()
  const description = `edited ${number}`
  const url = roll(3) === 0 ? { url: world.urlOf(`moved-${number}`) } : {}
  return {
    run: () => patch(world, subject, { description, ...url }),
    done: () => (subject.expected.description = [description]),
    unsure: () => (subject.expected.description = [...(subject.expected.description ?? ['']), description]),
  }
})

/** Of what the panel decides: it has to be undone. */
const editForeign = change('API', ({ world, journal }, subject) => ({
  run: () => patch(world, subject, { description: `of kubectl ${journal.next()}` }),
}))

const suspend = change(undefined, ({ world, roll }, subject) => {
  const isSuspended = roll(2) === 0
  return {
    run: () => patch(world, subject, { suspend: isSuspended }),
    done: () => (subject.expected.suspended = [isSuspended]),
    unsure: () => (subject.expected.suspended = [true, false]),
  }
})

/** The next request only when the last one was carried out: then each is one rotation, no more and no less. */
const rotate = change(undefined, async ({ world, journal }, subject) => {
  const { requests } = world.kube
  const object = await requests.request<WebhookSubscription>({
    method: 'GET',
    path: pathOf(world, subject.name),
    timeoutMs: TIMEOUT_MS,
  })
  const asked = object.spec.rotation?.request
  if (asked !== undefined && asked !== object.status?.secret?.handledRequest) throw new Skipped()
  const request = `rotation-${journal.next()}`
  return {
    run: () => patch(world, subject, { rotation: { request } }),
    done: () => Object.assign(subject, { request }) && (subject.rotations.sure += 1),
    unsure: () => (subject.rotations.unsure += 1),
  }
})

const probe = change(undefined, ({ world, journal }, subject) => {
  const request = `probe-${journal.next()}`
  return {
    run: () => patch(world, subject, { probe: { request } }),
    done: () => (subject.expected.lastProbeRequest = [request]),
    // The one before may not have been sent yet.
    unsure: () => delete subject.expected.lastProbeRequest,
  }
})

const remove = change('KUBERNETES', ({ world }, subject) => ({
  run: () => world.kube.requests.request({ method: 'DELETE', path: pathOf(world, subject.name), timeoutMs: TIMEOUT_MS }),
  done: () => (subject.state = 'deleted'),
  unsure: () => (subject.state = 'unsure'),
}))

const removeForeign = change('API', async ({ world }, subject) => {
  const forget = await commandsLost(world, subject)
  return {
    run: () => world.kube.requests.request({ method: 'DELETE', path: pathOf(world, subject.name), timeoutMs: TIMEOUT_MS }),
    done: forget,
    unsure: forget,
  }
})

const vanish = change(undefined, async ({ world }, subject) => {
  const forget = await (subject.origin === 'API' ? commandsLost(world, subject) : objectLost(world, subject))
  return {
    async run() {
      if (!(await world.etcd.remove(world.namespace, subject.name))) throw new Skipped()
    },
    done: forget,
    unsure: forget,
  }
})

/** The row stays; there is none yet for an object that no controller has seen. */
async function objectLost({ system }: SoakWorld, subject: Subject): Promise<() => void> {
  const row = await readMirrored(system, { uid: subject.id })
  return () => {
    subject.state = row ? 'vanished' : 'unsure'
  }
}

/** With its object, a command may go of which the row has not heard. */
async function commandsLost({ system }: SoakWorld, { id, expected, request, rotations }: Subject): Promise<() => void> {
  const row = await readMirrored(system, { id })
  const isHandled = request === undefined || row?.secret.handledRequest === request
  return () => {
    delete expected.suspended
    delete expected.lastProbeRequest
    if (isHandled) return
    rotations.sure -= 1
    rotations.unsure += 1
  }
}

export const KUBECTL_OPERATIONS: Readonly<Record<string, Operation>> = {
  'kubectl: create': { share: 6, run: create },
  'kubectl: edit': { share: 8, run: edit },
  'kubectl: edit what the panel decides': { share: 4, run: editForeign },
  'kubectl: suspend': { share: 8, run: suspend },
  'kubectl: rotate': { share: 8, run: rotate },
  'kubectl: probe': { share: 6, run: probe },
  'kubectl: delete': { share: 3, run: remove },
  'kubectl: delete what the panel decides': { share: 2, run: removeForeign },
  'etcd: remove': { share: 2, run: vanish },
}
