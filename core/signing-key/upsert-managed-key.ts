// A signing key that a Kubernetes object decides about: creates or changes its row. A refused object changes nothing.
import { randomUUID } from 'node:crypto'
import type { StorelessCore } from '#core/context.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import type { Fence } from '#core/mirror/fence.ts'
import { inFencedTransaction } from '#core/mirror/in-fenced-transaction.ts'
import { pinActiveCertificate, markCertificates } from './certificate-store.ts'
import { endKey } from './retire-with-versions.ts'
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

export interface AuthoredKey extends KeyObjectRef {
  /** Null: for the whole installation. */
  orgId: string | null
  state: KeyState
  compromisedSince: Date | null
  providerType: Exclude<ProviderType, 'INSTALLATION'>
}

export type AuthoredKeyRefusal = 'AnotherKeyActive' | 'OrganisationUnknown' | 'SelfSignedNotAllowed'

export type AuthoredKeyOutcome =
  | { outcome: 'applied'; id: string; created: boolean }
  | { outcome: 'refused'; reason: AuthoredKeyRefusal; message: string }

/** Idempotent. Its versions are announced with `announceVersion`. Throws FencedError. */
export async function upsertAuthoredKey(
  core: Pick<StorelessCore, 'database'>,
  fence: Fence,
  authored: AuthoredKey,
  { allowSelfSigned }: { allowSelfSigned: boolean },
): Promise<AuthoredKeyOutcome> {
  return inFencedTransaction(core, fence, async (sql) => {
    const known = await lockKey(sql, authored)
    const refused = (await refusal(sql, authored, known, allowSelfSigned)) ?? (await makeRoom(sql, authored, known))
    if (refused) return { outcome: 'refused', ...refused }
    const id = known?.id ?? (await create(sql, authored))
    await apply(sql, id, authored)
    return { outcome: 'applied', id, created: !known }
  })
}

type Refused = { reason: AuthoredKeyRefusal; message: string }

async function refusal(
  sql: Sql,
  { orgId, providerType, state }: AuthoredKey,
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

/** Of two active keys for the same documents the one with the older object stays, one without an object goes, but never does a key that cannot seal replace
 *  one that does. */
async function makeRoom(sql: Sql, authored: AuthoredKey, known: KeyRow | undefined): Promise<Refused | undefined> {
  const becomesActive = authored.state === 'ACTIVE' && (known === undefined || known.state === 'STANDBY')
  const other = becomesActive ? await lockActiveKey(sql, authored.orgId) : undefined
  if (!other) return undefined
  if (!(await mayReplace(sql, authored, known, other))) return { reason: 'AnotherKeyActive', message: describeOther(other) }
  await setKeyState(sql, other.id, 'STANDBY')
  return undefined
}

async function mayReplace(sql: Sql, authored: AuthoredKey, known: KeyRow | undefined, other: KeyRow): Promise<boolean> {
  const isOlder = other.objectCreatedAt !== null && authored.createdAt < other.objectCreatedAt
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

async function create(sql: Sql, { orgId, providerType, state }: AuthoredKey): Promise<string> {
  const id = randomUUID()
  await insertKey(sql, { id, orgId, origin: 'KUBERNETES', providerType, state })
  return id
}

async function apply(sql: Sql, id: string, authored: AuthoredKey): Promise<void> {
  const before = await findKey(sql, { id })
  if (!before) throw new Error('The signing key was not inserted.')
  await setKeyObject(sql, id, authored)
  if (before.compromisedSince?.getTime() !== authored.compromisedSince?.getTime()) {
    await setCompromised(sql, id, authored.compromisedSince)
    await markCertificates(sql, id, authored.compromisedSince)
  }
  if (before.state === 'RETIRED' || before.state === authored.state) return
  if (authored.state === 'RETIRED') return endKey(sql, id)
  await setKeyState(sql, id, authored.state)
  await pinActiveCertificate(sql, id)
}
