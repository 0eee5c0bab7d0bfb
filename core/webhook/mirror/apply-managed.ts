// Creates or changes a webhook as its object in Kubernetes says.
import { findOrganisation } from '#core/account/organisation/store.ts'
import type { StorelessCore } from '#core/context.ts'
import type { OrgId } from '#core/ids.ts'
import type { Fence } from '#core/mirror/fence.ts'
import { inFencedTransaction } from '#core/mirror/in-fenced-transaction.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import type { Lookup } from '#core/webhook/address/vet-target.ts'
import { assertTarget } from '#core/webhook/assert-target.ts'
import { referenceContext } from '#core/webhook/secret.ts'
import { countWebhooks, lockAdding } from '#core/webhook/store.ts'
import { bindObject, type BoundWebhook, lockBound, type DuplicateWebhook, selectDuplicate } from './managed-store.ts'
import type { ManagedOutcome, ManagedRefusal, ManagedWebhook, Refused } from './managed-webhook.ts'
import { changeManaged } from './change-managed.ts'
import { createManaged } from './create-managed.ts'
import { readMirrored, readMirroredIn } from './read-mirrored.ts'
import { deleteReference, lockReadSecret, setGiven } from './reference-store.ts'
import { haveSameEvents, isOlder } from './rules.ts'

/** Idempotent. A refusal changes nothing: the webhook stays as the object was before. An address is checked when it is new, and one that cannot be resolved at
 *  the moment is accepted. Throws FencedError. */
export async function applyManaged(
  core: StorelessCore,
  fence: Fence,
  managed: ManagedWebhook,
  lookup?: Lookup,
): Promise<ManagedOutcome> {
  const { orgId, uid, url } = managed
  const refusal = (await readMirrored(core, { uid }))?.url === url ? undefined : await vetAddress(core, url, lookup)
  if (refusal) return refusal
  return inFencedTransaction(core, fence, async (sql) => {
    if (!(await findOrganisation(sql, orgId))) return refuse('OrganisationUnknown', unknownOrganisation(orgId))
    await lockAdding(sql, orgId)
    const found = await claimRow(sql, core, managed)
    if (found && 'outcome' in found) return found
    const secret = await readSecret(sql, core, managed)
    await (found ? changeManaged(sql, core, found, managed, secret) : createManaged(sql, core, managed, secret))
    if (managed.secret !== 'GIVEN') await deleteReference(sql, uid)
    else if (secret !== undefined) await setGiven(sql, uid, true)
    const webhook = await readMirroredIn(sql, { uid })
    if (!webhook) throw new Error('The webhook of the object has no row after it was applied.')
    return { outcome: 'applied', webhook, created: !found }
  })
}

/** What a worker has read for the object; undefined when it has not, when the webhook has it already, or when the secret is generated. */
async function readSecret(
  sql: Sql,
  { keys }: Pick<StorelessCore, 'keys'>,
  { uid, secret }: ManagedWebhook,
): Promise<string | undefined> {
  const box = secret === 'GENERATED' ? undefined : await lockReadSecret(sql, uid)
  return box && keys.open(box, referenceContext(uid))
}

/** The object's row; undefined when one has to be created. */
async function claimRow(
  sql: Sql,
  { settings }: Pick<StorelessCore, 'settings'>,
  managed: ManagedWebhook,
): Promise<BoundWebhook | ManagedRefusal | undefined> {
  const { orgId, uid, url, events } = managed
  const own = await lockBound(sql, { uid })
  if (own && own.orgId !== orgId) return refuse('OrganisationUnknown', 'The organisation of a webhook cannot change.')
  if (own?.url === url && haveSameEvents(own.eventTypes, events)) return own
  const duplicate = await selectDuplicate(sql, orgId, managed)
  if (own) return duplicate ? refuseDuplicate(duplicate) : own
  return duplicate ? takeOver(sql, duplicate, managed) : assertBelowLimit(sql, orgId, settings.webhookMaxPerOrg)
}

/** Gives the webhook to the older of two new objects that want the same, also when the younger was read first. */
async function takeOver(
  sql: Sql,
  duplicate: DuplicateWebhook,
  managed: ManagedWebhook,
): Promise<BoundWebhook | ManagedRefusal | undefined> {
  if (isOlder({ uid: duplicate.uid, createdAt: duplicate.objectCreatedAt }, managed)) return refuseDuplicate(duplicate)
  await bindObject(sql, managed.orgId, duplicate.id, managed)
  return lockBound(sql, { uid: managed.uid })
}

function refuseDuplicate({ namespace, name }: DuplicateWebhook): ManagedRefusal {
  return refuse(
    'Duplicate',
    `${namespace}/${name} sends the same events to this address already. Delete one of the two objects, or change the events of one.`,
  )
}

async function assertBelowLimit(sql: Sql, orgId: OrgId, most: number): Promise<ManagedRefusal | undefined> {
  if ((await countWebhooks(sql, orgId)) < most) return undefined
  return refuse(
    'LimitExceeded',
    `The organisation has ${most} webhooks, and may not have more. Delete one, or raise SEALWRIGHT_WEBHOOK_MAX_PER_ORG.`,
  )
}

async function vetAddress(
  core: Pick<StorelessCore, 'settings'>,
  url: string,
  lookup: Lookup | undefined,
): Promise<ManagedRefusal | undefined> {
  try {
    await assertTarget(core, url, lookup)
    return undefined
  } catch (error) {
    if (error instanceof DomainError && error.code === 'WEBHOOK_URL_REFUSED')
      return refuse('AddressRefused', `${error.message} Correct spec.url; the address is also checked again with every sweep.`)
    throw error
  }
}

function unknownOrganisation(orgId: OrgId): string {
  return `There is no organisation ${orgId}. "sealwright org list" lists their ids. orgId is immutable: delete this object and create it with another one.`
}

function refuse(reason: Refused, message: string): ManagedRefusal {
  return { outcome: 'refused', reason, message }
}
