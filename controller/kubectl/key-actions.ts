// `kubectl sealwright key rotate|retire`
import { SIGNING_KEYS, type SigningKeyObject } from '../signing-key/resource.ts'
import type { Action } from './action.ts'
import { CommandError } from './command-error.ts'
import { conditionOf, describeCondition } from './condition-of.ts'

const resource = SIGNING_KEYS

const rotate: Action<SigningKeyObject> = {
  resource,
  field: 'spec.rotation.request',
  patch({ spec }, token) {
    if (spec.state === 'Retired') throw new CommandError('This key is retired, which is final. Create another key.')
    return { spec: { rotation: { request: token } } }
  },
  changed: 'spec.rotation.request has a new value. A new version is made and loaded before it is used.',
  unchanged: '',
  isDone: (object, token) =>
    object.status?.handledRequest === token && conditionOf(object, 'RotationInProgress')?.status !== 'True',
  outcome(object, before) {
    const version = object.status?.active?.version
    if (version !== undefined && version !== before.status?.active?.version) {
      return { ok: true, line: `version ${version} is active; seals of earlier versions stay valid` }
    }
    return { ok: false, line: `the version did not change; ${describeCondition(object, 'Ready')}` }
  },
}

const retire: Action<SigningKeyObject> = {
  resource,
  field: 'spec.state',
  patch({ spec, status }) {
    if (spec.state === 'Retired') return undefined
    if (spec.origin !== 'API') return { spec: { state: 'Retired' } }
    throw new CommandError(`Postgres decides the state of this key: run sealwright key retire --id ${status?.keyId ?? 'ID'}.`)
  },
  changed: 'spec.state is Retired, which is final. Its seals stay valid.',
  unchanged: 'spec.state was Retired already.',
  isDone: ({ status }) => !status?.active,
  outcome: () => ({ ok: true, line: 'retired' }),
}

export const KEY_ACTIONS = { rotate, retire }
