// Gathers the facts of one reconcile. No Secret is read: workers report what they contain.
import { currentTime } from '#core/platform/postgres/clock.ts'
import { readKey } from '#core/signing-key/list-keys.ts'
import type { SigningKeyView } from '#core/signing-key/signing-key.ts'
import { isDefinitionServed } from '../projection/definitions.ts'
import { readLive } from '../projection/object-writes.ts'
import { needsLiveRead } from '../projection/rollback.ts'
import { type Certificate, certificateName, CERTIFICATES, type IssuedCertificate, judgeCertificate } from './certificate.ts'
import type { KeyContext, KeyProgress } from './context.ts'
import { dueVersion } from './next-version.ts'
import { SIGNING_KEYS, type SigningKeyObject } from './resource.ts'
import { projectedName, projectedRow, rowState, type Snapshot } from './snapshot.ts'

/** Reads the database, and of Kubernetes what the cache cannot say. */
export async function observe(context: KeyContext, key: string, progress: KeyProgress): Promise<Snapshot> {
  const [namespace = '', name = ''] = key.split('/')
  const found = await findBoth(context, key, progress)
  const { object, row } = found
  const { refusal, announcedRequest } = progress
  const isTerminating = object?.metadata.deletionTimestamp !== undefined
  const facts = {
    namespace,
    name,
    ...found,
    refusal,
    announcedRequest,
    holdsDeletions: context.holdsDeletions(),
    isKindDeleted: isTerminating && row !== undefined && !(await isServed(context)),
    hasRoom: object !== undefined || context.hasRoom(),
    now: await currentTime(context.core.database),
  }
  return { ...facts, certificate: await readCertificate(context, facts, progress) }
}

type Rows = Pick<Snapshot, 'row' | 'vanished'>

async function findBoth(
  context: KeyContext,
  key: string,
  progress: KeyProgress,
): Promise<Rows & { object: SigningKeyObject | undefined }> {
  const isKnown = progress.object !== undefined || progress.isDeleted === true
  const cached = isKnown ? progress.object : context.store.get(key)
  const rows = await readRows(context, key, cached)
  const state = rows.row && rowState(rows.row)
  const isOutdated = context.outdated.has(key) || needsLiveRead(cached, state, rows.vanished.length > 0)
  if (isKnown || !isOutdated) return { object: cached, ...rows }
  const [namespace = '', name = ''] = key.split('/')
  const object = await readLive<SigningKeyObject>(context, SIGNING_KEYS, { namespace, name })
  context.outdated.delete(key)
  return { object, ...(await readRows(context, key, object)) }
}

async function readRows(context: KeyContext, key: string, object: SigningKeyObject | undefined): Promise<Rows> {
  const vanished = await readVanished(context, key, object?.metadata.uid)
  const name = key.slice(key.indexOf('/') + 1)
  const isManaged = object && object.spec.origin !== 'API'
  return { vanished, row: isManaged ? await readManaged(context, object) : await readProjected(context, name) }
}

async function readManaged({ core }: KeyContext, { metadata: { uid } }: SigningKeyObject): Promise<Snapshot['row']> {
  const row = await readKey(core, { uid })
  return row?.origin === 'KUBERNETES' ? row : undefined
}

async function readProjected({ core }: KeyContext, name: string): Promise<Snapshot['row']> {
  const ref = projectedRow(name)
  const row = ref && (await readKey(core, ref))
  // The installation's own key has another name than imported ones.
  return row?.origin === 'API' && projectedName(row) === name ? row : undefined
}

async function readVanished({ core, vanished }: KeyContext, key: string, uid: string | undefined): Promise<SigningKeyView[]> {
  const uids = vanished.of(key).filter((each) => each !== uid)
  const rows = await Promise.all(uids.map((each) => readKey(core, { uid: each })))
  return rows.flatMap((row) => (row?.origin === 'KUBERNETES' ? [row] : []))
}

/** Only when another version is due: then it says how far cert-manager is. */
async function readCertificate(
  context: KeyContext,
  facts: Omit<Snapshot, 'certificate'>,
  { certificateRefusal }: KeyProgress,
): Promise<IssuedCertificate> {
  const { object, row, namespace } = facts
  if (!object?.spec.provider.certManager || !row || object.metadata.deletionTimestamp) return { kind: 'UNREAD' }
  const due = dueVersion(object, row, facts)
  if (!due) return { kind: 'UNREAD' }
  if (certificateRefusal !== undefined) return { kind: 'REFUSED', message: certificateRefusal }
  const name = certificateName(object, due.version)
  return judgeCertificate(await readLive<Certificate>(context, CERTIFICATES, { namespace, name }), object)
}

function isServed({ kube, leadership }: KeyContext): Promise<boolean> {
  return isDefinitionServed(kube, SIGNING_KEYS, leadership.signal)
}
