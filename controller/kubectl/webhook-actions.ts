// `kubectl sealwright webhook suspend|resume|probe|rotate`
import { WEBHOOK_SUBSCRIPTIONS, type WebhookSubscription } from '../webhook-subscription/resource.ts'
import type { Action } from './action.ts'
import { conditionOf, describeCondition } from './condition-of.ts'

const resource = WEBHOOK_SUBSCRIPTIONS

const suspend: Action<WebhookSubscription> = {
  resource,
  field: 'spec.suspend',
  patch: ({ spec }) => (spec.suspend ? undefined : { spec: { suspend: true } }),
  changed: 'spec.suspend is true. Events are recorded as not sent.',
  unchanged: 'spec.suspend was true already.',
  isDone: (object) => conditionOf(object, 'Suspended')?.status === 'True',
  outcome: () => ({ ok: true, line: 'suspended' }),
}

const resume: Action<WebhookSubscription> = {
  resource,
  field: 'spec.suspend',
  patch: ({ spec }) => (spec.suspend ? { spec: { suspend: false } } : undefined),
  changed: 'spec.suspend is false.',
  unchanged: 'spec.suspend was false already.',
  isDone: (object) => conditionOf(object, 'Suspended')?.reason !== 'BySpec',
  outcome: (object) =>
    conditionOf(object, 'Suspended')?.status === 'True'
      ? { ok: false, line: `still suspended: ${describeCondition(object, 'Suspended')}` }
      : { ok: true, line: 'no longer suspended' },
}

const probe: Action<WebhookSubscription> = {
  resource,
  field: 'spec.probe.request',
  patch: (_, token) => ({ spec: { probe: { request: token } } }),
  changed: 'spec.probe.request has a new value. One test event is sent.',
  unchanged: '',
  isDone: ({ status }, token) => status?.health?.lastProbeRequest === token,
  outcome: probeOutcome,
}

/** A probe that failed is the last failure, at the time of the probe. */
function probeOutcome(object: WebhookSubscription): { ok: boolean; line: string } {
  const { lastFailure, lastProbeTime } = object.status?.health ?? {}
  if (lastFailure && lastProbeTime && Date.parse(lastFailure.time) >= Date.parse(lastProbeTime)) {
    return { ok: false, line: `the endpoint did not accept the test event: ${lastFailure.reason}` }
  }
  return { ok: true, line: `the endpoint accepted the test event; ${describeCondition(object, 'EndpointHealthy')}` }
}

const rotate: Action<WebhookSubscription> = {
  resource,
  field: 'spec.rotation.request',
  patch: (_, token) => ({ spec: { rotation: { request: token } } }),
  changed: 'spec.rotation.request has a new value. A new signing secret is made.',
  unchanged: '',
  isDone: ({ status }, token) => status?.secret?.handledRequest === token,
  outcome({ spec: { secretRef }, status }) {
    const { revision, previousValidUntil } = status?.secret ?? {}
    const secretName = secretRef?.name ?? status?.secret?.secretName
    const place = secretName ? `in the Secret ${secretName}` : 'in the panel ("Show new secret")'
    const grace = previousValidUntil ? `; the previous one is valid until ${previousValidUntil}` : ''
    return { ok: true, line: `signing secret ${revision} is ${place}${grace}` }
  },
}

export const WEBHOOK_ACTIONS = { suspend, resume, probe, rotate }
