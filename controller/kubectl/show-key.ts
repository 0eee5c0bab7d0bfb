// `kubectl sealwright key show`
import { SIGNING_KEYS, type SigningKeyObject } from '../signing-key/resource.ts'
import type { ActionOptions } from './action.ts'
import { type Cluster, readObject } from './cluster.ts'
import { conditionOf, isObserved } from './condition-of.ts'
import type { Report } from './report.ts'
import { waitUntil } from './wait-until.ts'

const UNKNOWN = 'unknown'

/** The key with its versions and conditions. Waiting for a key that does not become ready ends in a report that is not ok. */
export async function showKey(cluster: Cluster, name: string, { wait = false, timeoutMs }: ActionOptions): Promise<Report> {
  const read = () => readObject<SigningKeyObject>(cluster, SIGNING_KEYS, name)
  const isReady = (key: SigningKeyObject) => isObserved(key) && conditionOf(key, 'Ready')?.status === 'True'
  const { object: key, isDone } = await waitUntil(read, isReady, wait ? timeoutMs : 0)
  const { spec, status = {} } = key
  return { ok: isDone || !wait, lines: describeKey(key), json: { name, namespace: cluster.keysNamespace, spec, status } }
}

function describeKey({ metadata, spec, status = {} }: SigningKeyObject): string[] {
  const { active, next, versions = [], conditions = [], loadedBy = 'no worker', renewalTime } = status
  const scope = spec.orgId ? `organisation ${spec.orgId}` : 'all organisations'
  return [
    `${metadata.name}: ${spec.provider.type}, ${spec.state ?? 'Active'}, ${scope}`,
    ...(active ? describeActive(active) : ['  active: none']),
    ...(next ? [`  next: version ${next.version}, loaded by ${loadedBy}`] : []),
    ...(renewalTime ? [`  next scheduled rotation: ${renewalTime}`] : []),
    ...versions.map((each) => `  version ${each.version}: ${each.state}, valid until ${each.notAfter ?? UNKNOWN}`),
    ...conditions.map(({ type, status: value, reason, message }) => `  ${type}: ${value} (${reason}) ${message}`),
  ]
}

function describeActive(active: NonNullable<NonNullable<SigningKeyObject['status']>['active']>): string[] {
  const { version, subject = UNKNOWN, issuer = UNKNOWN, fingerprint = UNKNOWN, notAfter = UNKNOWN } = active
  return [
    `  active: version ${version}, valid until ${notAfter}`,
    `  subject: ${subject}`,
    `  issuer: ${issuer}`,
    `  fingerprint: ${fingerprint}`,
  ]
}
