// The parts of an object and its row that decisions read, in the same terms. Pure.
import type { KeyMaterial, KeyState, SigningKeyView } from '#core/signing-key/signing-key.ts'
import type { ManagedKey } from '#core/signing-key/upsert-managed-key.ts'
import { secondTime } from '../runtime/wire-time.ts'
import type { ProjectedFields } from './effect.ts'
import type { SigningKeyObject, SigningKeySpec } from './resource.ts'

const STATES = { Standby: 'STANDBY', Active: 'ACTIVE', Retired: 'RETIRED' } as const
const SHOWN_STATES = { STANDBY: 'Standby', ACTIVE: 'Active', RETIRED: 'Retired' } as const
const PROVIDERS = { PKCS12: 'PKCS12', SelfSigned: 'SELF_SIGNED', CertManager: 'CERT_MANAGER' } as const

export function stateOf({ state = 'Active' }: SigningKeySpec): KeyState {
  return STATES[state]
}

/** What the object wants its row to be. Throws for the provider Installation, which the API server accepts only with origin API. */
export function desiredState({ metadata, spec }: SigningKeyObject, namespace: string): ManagedKey {
  const { name, uid, generation = 0, creationTimestamp } = metadata
  const { orgId, compromisedSince, provider } = spec
  if (provider.type === 'Installation') throw new Error(`${name} has the provider of the installation's own key.`)
  return {
    namespace,
    name,
    uid,
    generation,
    createdAt: new Date(creationTimestamp ?? 0),
    orgId: orgId?.toLowerCase() ?? null,
    state: stateOf(spec),
    compromisedSince: compromisedSince === undefined ? null : new Date(compromisedSince),
    providerType: PROVIDERS[provider.type],
  }
}

export function fieldsOfRow({ orgId, state, compromisedSince }: SigningKeyView): ProjectedFields {
  return {
    orgId,
    state: SHOWN_STATES[state],
    compromisedSince: compromisedSince && secondTime(compromisedSince),
  }
}

/** The fields of an object managed in Postgres that differ from its row. */
export function differingFields({ spec }: SigningKeyObject, row: SigningKeyView): string[] {
  const { state, compromisedSince } = fieldsOfRow(row)
  const same = {
    state: spec.state === state,
    compromisedSince: (spec.compromisedSince ?? null) === compromisedSince,
  }
  return Object.entries(same).flatMap(([name, isSame]) => (isSame ? [] : [name]))
}

/** The Secret that the object names; undefined for another provider. */
export function pkcs12Material(
  { spec: { provider } }: SigningKeyObject,
  namespace: string,
): (KeyMaterial & { kind: 'SECRET' }) | undefined {
  if (!provider.pkcs12) return undefined
  const { name, key = 'tls.p12', passwordKey = 'password' } = provider.pkcs12.secretRef
  return { kind: 'SECRET', namespace, name, key, passwordKey }
}

export function isSameMaterial(left: KeyMaterial | null, right: KeyMaterial): boolean {
  if (left?.kind !== 'SECRET' || right.kind !== 'SECRET') return false
  return (['namespace', 'name', 'key', 'passwordKey'] as const).every((part) => left[part] === right[part])
}
