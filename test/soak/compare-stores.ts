// Compares both stores field by field, and with the journal. It knows the contract, and nothing of how the controller decides.
import type { WebhookSubscription } from '../../controller/webhook-subscription/resource.ts'
import { compareJournal } from './compare-journal.ts'
import type { Journal } from './journal.ts'
import type { Row, Stores } from './read-stores.ts'

const FINALIZER = 'sealwright.io/subscription'

/** One sentence for each difference; none when both are equal and nothing that was acknowledged is lost. */
export function differences(stores: Stores, journal: Journal): string[] {
  const { rows, objects, waiting } = stores
  const shown = rows.flatMap((row) => compareRow(row, stores))
  const rowless = objects
    .filter((object) => !rows.some((row) => isOf(row, object)))
    .map(({ metadata }) => `${metadata.name} has no row`)
  const late = waiting > 0 ? [`${waiting} changes wait to be shown`] : []
  return [
    ...shown,
    ...rowless,
    ...leftSecrets(stores),
    ...compareReport(stores),
    ...late,
    ...journal.subjects.flatMap((each) => compareJournal(each, stores)),
  ]
}

function isOf(row: Row, { spec, metadata }: WebhookSubscription): boolean {
  return spec.origin === 'API'
    ? metadata.name === `api-${row.id}`
    : row.origin === 'KUBERNETES' && row.object?.uid === metadata.uid
}

function compareRow(row: Row, { objects, secrets }: Stores): string[] {
  const object = objects.find((each) => isOf(row, each))
  const name = object?.metadata.name ?? row.id
  if (row.orphanedAt) return object ? [`${name} is marked as orphaned and has its object`] : []
  if (!object) return [`the row ${row.id} (${row.origin}, ${row.object?.name}) has no object`]
  const secret = secrets.find(({ metadata }) => metadata.name === `${name}-signing-secret`)
  const facts = {
    ...specFacts(row, object),
    ...metadataFacts(row, object),
    ...statusFacts(row, object),
    ...(row.origin === 'KUBERNETES' && secretFacts(row, object, secret)),
  }
  return different(name, facts)
}

function different(name: string, facts: Facts): string[] {
  return Object.entries(facts).flatMap(([field, [is, must]]) => {
    const [left, right] = [JSON.stringify(is), JSON.stringify(must)]
    return left === right ? [] : [`${name}: ${field} is ${left}, it must be ${right}`]
  })
}

type Facts = Record<string, [is: unknown, must: unknown]>

/** A request that an object lost with its predecessor is none. */
function specFacts(row: Row, { spec }: WebhookSubscription): Facts {
  const { rotation, probe, description = '', suspend = false } = spec
  return {
    orgId: [spec.orgId, row.orgId],
    url: [spec.url, row.url],
    events: [spec.events.toSorted(), row.eventTypes.toSorted()],
    description: [description, row.description],
    suspend: [suspend, row.suspended],
    'rotation.request': [rotation?.request ?? row.secret.handledRequest, row.secret.handledRequest],
    'probe.request': [probe?.request ?? row.lastProbeRequest, row.lastProbeRequest],
  }
}

function metadataFacts(row: Row, { metadata }: WebhookSubscription): Facts {
  const { uid, generation, finalizers = [], labels = {}, deletionTimestamp } = metadata
  const isManaged = row.origin === 'KUBERNETES'
  return {
    uid: [uid, row.object?.uid],
    generation: [generation, isManaged ? row.object?.generation : generation],
    finalizer: [finalizers.includes(FINALIZER), isManaged],
    label: [labels['sealwright.io/subscription-id'], isManaged ? undefined : row.id],
    deletionTimestamp: [deletionTimestamp, undefined],
  }
}

function statusFacts(row: Row, { status = {}, metadata }: WebhookSubscription): Facts {
  const { health, secret } = status
  const reasonOf = (type: string) => status.conditions?.find((each) => each.type === type)?.reason
  return {
    observedGeneration: [status.observedGeneration, metadata.generation],
    subscriptionId: [status.subscriptionId, row.id],
    rowVersion: [status.rowVersion, row.version],
    Accepted: [reasonOf('Accepted'), 'Accepted'],
    Synced: [reasonOf('Synced'), 'Synced'],
    Suspended: [reasonOf('Suspended'), suspendedReason(row)],
    RotationInProgress: [reasonOf('RotationInProgress'), row.secrets.previous === undefined ? 'NoRotation' : 'GracePeriod'],
    'health.lastProbeRequest': [health?.lastProbeRequest ?? null, row.lastProbeRequest],
    'secret.revision': [secret?.revision, row.secret.revision],
    'secret.handledRequest': [secret?.handledRequest ?? null, row.secret.handledRequest],
  }
}

function suspendedReason({ suspended, disabledByAdmin }: Row): string {
  if (suspended) return 'BySpec'
  return disabledByAdmin ? 'ByAdmin' : 'NotSuspended'
}

function secretFacts(
  { secrets }: Row,
  { metadata, status }: WebhookSubscription,
  shown: Stores['secrets'][number] | undefined,
): Facts {
  const text = (key: string) => {
    const value = shown?.data?.[key]
    return value === undefined ? undefined : Buffer.from(value, 'base64').toString()
  }
  // As digests would be: a difference is reported, a secret is not.
  return {
    'Secret.secret': [text('secret') === secrets.secret, true],
    'Secret.previous': [text('previous') === secrets.previous, true],
    'Secret.owner': [shown?.metadata.ownerReferences?.map(({ uid }) => uid), [metadata.uid]],
    'secret.secretName': [status?.secret?.secretName, `${metadata.name}-signing-secret`],
  }
}

/** The API server's controllers delete a Secret with its owner. */
function leftSecrets({ secrets, objects }: Stores): string[] {
  const uids = new Set(objects.map(({ metadata }) => metadata.uid))
  return secrets
    .filter(({ metadata }) => !metadata.ownerReferences?.every(({ uid }) => uids.has(uid)))
    .map(({ metadata }) => `the Secret ${metadata.name} was left`)
}

/** What `kubectl sealwright status` shows. */
function compareReport({ rows, statusMap, leader }: Stores): string[] {
  const { orphans = '[]', problems, outboxAgeSeconds } = statusMap
  const shown: { id: string }[] = JSON.parse(orphans)
  const facts: Facts = {
    leader: [statusMap['leader'], leader],
    orphans: [shown.map(({ id }) => id).toSorted(), rows.filter(({ orphanedAt }) => orphanedAt).map(({ id }) => id)],
    problems: [problems, '[]'],
    outboxAgeSeconds: [outboxAgeSeconds, '0'],
  }
  return different('the ConfigMap', facts)
}
