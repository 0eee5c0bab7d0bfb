// Reads the Secrets that objects name, for the controller. What was read is stored encrypted.
import type { StorelessCore } from '#core/context.ts'
import type { SecretReader, SecretRule } from '#core/platform/kubernetes/secret-reader.ts'
import { referenceContext, secretContext } from '#core/webhook/secret.ts'
import { claimDueReferences, type DueReference, postponeRead, recordFailedRead, recordRead } from './reference-store.ts'
import { isUsableSecret } from './rules.ts'
import type { ReferenceFailure } from './secret-reference.ts'

const BATCH = 10
const READ_AGAIN_SECONDS = 3600
const TRY_AGAIN_SECONDS: Readonly<Record<ReferenceFailure, number>> = { MISSING: 60, UNUSABLE: 60, UNAVAILABLE: 10 }

/** On a Secret whose content webhooks may sign with. Users who write webhooks may reach no other Secret through the worker that reads for them. */
const LABEL = 'sealwright.io/webhook-secret'

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
  return lastBox(reference)
    ? postponeRead(database, reference, againSeconds)
    : recordFailedRead(database, reference, found, againSeconds)
}

/** Undefined for the secret that was read last: another box would look like another secret. */
function newBox({ keys }: Pick<Reader, 'keys'>, reference: DueReference, secret: string): Buffer | undefined {
  const last = lastBox(reference)
  const isSame = last !== undefined && keys.open(last.box, last.context) === secret
  return isSame ? undefined : keys.seal(secret, referenceContext(reference.uid))
}

/** What was read last: it waits for the webhook, or the webhook has it. */
function lastBox({ uid, secretBox, givenId, givenBox }: DueReference): { box: Buffer; context: string } | undefined {
  if (secretBox) return { box: secretBox, context: referenceContext(uid) }
  return givenId && givenBox ? { box: givenBox, context: secretContext(givenId) } : undefined
}

async function find(secrets: SecretReader, { uid, namespace, name, key }: DueReference): Promise<Found> {
  const place = `${namespace}/${name}`
  try {
    const entries = await secrets.read(namespace, name, secretRuleOf(uid))
    // The same words for both, because the user who wrote the object may have no right to learn which Secrets exist.
    if (!entries) {
      const command = `kubectl -n ${namespace} label secret ${name} ${LABEL}=true`
      const message = `There is no Secret ${place} with the label ${LABEL}: "true", and no other is read. An owner of the Secret sets it: ${command}. It is read again within a minute.`
      return failed('UNUSABLE', message)
    }
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

/** Accepts Secrets with the label, and those that the controller has created for the object. */
function secretRuleOf(objectUid: string): SecretRule {
  return ({ labels, ownerReferences = [] }) => labels?.[LABEL] === 'true' || ownerReferences.some(({ uid }) => uid === objectUid)
}

function failed(failure: ReferenceFailure, message: string): Found {
  return { kind: 'FAILED', failure, message }
}
