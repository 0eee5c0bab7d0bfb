// Reads the Secrets that objects name, for the controller. What was read is stored encrypted.
import type { StorelessCore } from '#core/context.ts'
import type { SecretReader } from '#core/platform/kubernetes/secret-reader.ts'
import { referenceContext } from '#core/webhook/secret.ts'
import { claimDueReferences, type DueReference, postponeRead, recordFailedRead, recordRead } from './reference-store.ts'
import { isUsableSecret } from './rules.ts'
import type { ReferenceFailure } from './secret-reference.ts'

const BATCH = 10
const READ_AGAIN_SECONDS = 3600
const TRY_AGAIN_SECONDS: Readonly<Record<ReferenceFailure, number>> = { MISSING: 60, UNUSABLE: 60, UNAVAILABLE: 10 }

type Found = { kind: 'READ'; secret: string } | { kind: 'FAILED'; failure: ReferenceFailure; message: string }

type Reader = Pick<StorelessCore, 'database' | 'keys' | 'log'>

/** True when more may be due. An outage of Kubernetes does not take away what was read before. Needs the system role. */
export async function readDueSecrets(core: Reader, secrets: SecretReader): Promise<boolean> {
  const due = await claimDueReferences(core.database, BATCH)
  await Promise.all(due.map(async (reference) => record(core, reference, await find(secrets, reference))))
  return due.length === BATCH
}

async function record(core: Reader, reference: DueReference, found: Found): Promise<void> {
  const { database, log } = core
  if (found.kind === 'READ') {
    return recordRead(database, reference, newBox(core, reference, found.secret), READ_AGAIN_SECONDS)
  }
  const againSeconds = TRY_AGAIN_SECONDS[found.failure]
  if (found.failure !== 'UNAVAILABLE') return recordFailedRead(database, reference, found, againSeconds)
  log.warn({ reason: found.message }, 'webhook_secret.not_read')
  return reference.secretBox
    ? postponeRead(database, reference, againSeconds)
    : recordFailedRead(database, reference, found, againSeconds)
}

/** Undefined for the secret that was read last: another box would look like another secret. */
function newBox({ keys }: Pick<Reader, 'keys'>, { uid, secretBox }: DueReference, secret: string): Buffer | undefined {
  const isSame = secretBox !== null && keys.open(secretBox, referenceContext(uid)) === secret
  return isSame ? undefined : keys.seal(secret, referenceContext(uid))
}

async function find(secrets: SecretReader, { namespace, name, key }: DueReference): Promise<Found> {
  const place = `${namespace}/${name}`
  try {
    const entries = await secrets.read(namespace, name)
    if (!entries) return failed('MISSING', `There is no Secret ${place}. Create it; it is read again within a minute.`)
    const value = entries[key]
    if (value === undefined)
      return failed('MISSING', `The Secret ${place} has no key ${key}. Add it; it is read again within a minute.`)
    const secret = Buffer.from(value, 'base64').toString('utf8')
    if (isUsableSecret(secret)) return { kind: 'READ', secret }
    const message = `The value of ${key} in the Secret ${place} must have 16 to 256 printable ASCII characters, without spaces and line breaks.`
    return failed('UNUSABLE', message)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return failed('UNAVAILABLE', `The Secret ${place} cannot be read: ${reason}`)
  }
}

function failed(failure: ReferenceFailure, message: string): Found {
  return { kind: 'FAILED', failure, message }
}
