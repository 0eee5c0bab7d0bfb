// A signing key that a Kubernetes object decides about: creates or changes its row. A refused object changes nothing.
import { randomUUID } from 'node:crypto'
import type { StorelessCore } from '#core/context.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import type { Fence } from '#core/mirror/fence.ts'
import { inFencedTransaction } from '#core/mirror/in-fenced-transaction.ts'
import { pinActiveCertificate, markCertificates } from './certificate-store.ts'
import { retireWithVersions } from './retire-with-versions.ts'
import {
  findKey,
  hasOrganisation,
  insertKey,
  type KeyRow,
  lockActiveKey,
  lockKey,
  setCompromised,
  setKeyObject,
  setKeyState,
} from './key-store.ts'
import type { ProviderType } from './rules.ts'
import type { KeyObjectRef, KeyState } from './signing-key.ts'
import { findActiveVersion } from './version-store.ts'

export interface ManagedKey extends KeyObjectRef {
  /** Null: for the whole installation. */
  orgId: string | null
  state: KeyState
  compromisedSince: Date | null
  providerType: Exclude<ProviderType, 'INSTALLATION'>
}

export type ManagedKeyRefusal = 'AnotherKeyActive' | 'OrganisationUnknown' | 'SelfSignedNotAllowed'

export type ManagedKeyOutcome =
  | { outcome: 'applied'; id: string; created: boolean }
  | { outcome: 'refused'; reason: ManagedKeyRefusal; message: string }

/** Idempotent. Its versions are announced with `announceVersion`. Throws FencedError. */
export async function upsertManagedKey(
  core: Pick<StorelessCore, 'database'>,
  fence: Fence,
  managed: ManagedKey,
  { allowSelfSigned }: { allowSelfSigned: boolean },
): Promise<ManagedKeyOutcome> {
  return inFencedTransaction(core, fence, async (sql) => {
    const known = await lockKey(sql, managed)
    const refused = (await refusal(sql, managed, known, allowSelfSigned)) ?? (await makeRoom(sql, managed, known))
    if (refused) return { outcome: 'refused', ...refused }
    const id = known?.id ?? (await create(sql, managed))
    await apply(sql, id, managed)
    return { outcome: 'applied', id, created: !known }
  })
}

type Refused = { reason: ManagedKeyRefusal; message: string }

async function refusal(
  sql: Sql,
  { orgId, providerType, state }: ManagedKey,
  known: KeyRow | undefined,
  allowSelfSigned: boolean,
): Promise<Refused | undefined> {
  if (!known && orgId !== null && !(await hasOrganisation(sql, orgId)))
    return { reason: 'OrganisationUnknown', message: `There is no organisation ${orgId}.` }
  if (providerType === 'SELF_SIGNED' && state !== 'RETIRED' && !allowSelfSigned)
    return {
      reason: 'SelfSignedNotAllowed',
      message: 'Self-signed keys are not allowed here: set SEALWRIGHT_ALLOW_SELF_SIGNED_KEYS, or use another provider.',
    }
  return undefined
}

/** Keeps, of two active keys for the same documents, the one with the older object; one without an object goes. Never does a key that cannot seal replace
 *  one that does. */
async function makeRoom(sql: Sql, managed: ManagedKey, known: KeyRow | undefined): Promise<Refused | undefined> {
  const becomesActive = managed.state === 'ACTIVE' && (known === undefined || known.state === 'STANDBY')
  const other = becomesActive ? await lockActiveKey(sql, managed.orgId) : undefined
  if (!other) return undefined
  if (!(await mayReplace(sql, managed, known, other))) return { reason: 'AnotherKeyActive', message: describeOther(other) }
  await setKeyState(sql, other.id, 'STANDBY')
  return undefined
}

async function mayReplace(sql: Sql, managed: ManagedKey, known: KeyRow | undefined, other: KeyRow): Promise<boolean> {
  const isOlder = other.objectCreatedAt !== null && managed.createdAt < other.objectCreatedAt
  if (!isOlder && other.orphanedAt === null) return false
  const canSeal = known !== undefined && (await findActiveVersion(sql, known.id)) !== undefined
  return canSeal || (await findActiveVersion(sql, other.id)) === undefined
}

function describeOther({ id, objectNamespace, objectName, orphanedAt }: KeyRow): string {
  if (orphanedAt !== null)
    return `The signing key ${id}, whose object ${objectNamespace}/${objectName} has disappeared, seals the same documents until this one can; or retire it with: sealwright key retire --id ${id}`
  return objectName === null
    ? `The imported signing key ${id} is active for the same documents; retire it with: sealwright key retire --id ${id}`
    : `The SigningKey ${objectNamespace}/${objectName} is active for the same documents; set its state to Standby or Retired first.`
}

async function create(sql: Sql, { orgId, providerType, state }: ManagedKey): Promise<string> {
  const id = randomUUID()
  await insertKey(sql, { id, orgId, origin: 'KUBERNETES', providerType, state })
  return id
}

async function apply(sql: Sql, id: string, managed: ManagedKey): Promise<void> {
  const before = await findKey(sql, { id })
  if (!before) throw new Error('The signing key was not inserted.')
  await setKeyObject(sql, id, managed)
  if (before.compromisedSince?.getTime() !== managed.compromisedSince?.getTime()) {
    await setCompromised(sql, id, managed.compromisedSince)
    await markCertificates(sql, id, managed.compromisedSince)
  }
  if (before.state === 'RETIRED' || before.state === managed.state) return
  if (managed.state === 'RETIRED') return retireWithVersions(sql, id)
  await setKeyState(sql, id, managed.state)
  await pinActiveCertificate(sql, id)
}
