// Finds the private key of a version where its material is.
import type { InstallationKeys } from '#core/platform/crypto/installation-keys.ts'
import { decryptKey } from '../decrypt-key.ts'
import { replacingCommand } from '../replacing-command.ts'
import type { LoadFailure } from '../rules.ts'
import type { SecretReference } from '../signing-key.ts'
import type { WantedVersion } from '../worker-store.ts'
import type { FoundKey, OpenedKey } from './key-task.ts'
import type { SecretReader, SecretRule } from '#core/platform/kubernetes/secret-reader.ts'

/** On a Secret with a PKCS#12 file. Users who write signing keys may reach no other Secret through the workers that read for them. */
export const SIGNING_KEY_LABEL = 'sealwright.io/signing-key'

export interface MaterialPlaces {
  keys: Pick<InstallationKeys, 'open'>
  /** The key of the settings' key file; absent without the setting. */
  file?: OpenedKey
  /** Absent without Kubernetes. */
  secrets?: SecretReader
}

export type Found =
  | { kind: 'found'; key: FoundKey }
  | { kind: 'opened'; key: OpenedKey }
  | { kind: 'failed'; reason: LoadFailure; message: string }

/** The private key, to be opened, or why it cannot be read. */
export async function findMaterial({ keys, file, secrets }: MaterialPlaces, wanted: WantedVersion): Promise<Found> {
  const { kind, fingerprint, reference } = wanted
  if (kind === 'FILE') {
    if (file && file.certificate.fingerprint === fingerprint) return { kind: 'opened', key: file }
    return failed('Unavailable', missingFile(wanted))
  }
  if (kind === 'BOX') return openStored(keys, wanted)
  if (!reference) throw new Error('The version does not name its Secret.')
  return readSecret(secrets, reference)
}

function missingFile(wanted: WantedVersion): string {
  const cure = replacingCommand(wanted)
  return wanted.selfMade
    ? `An earlier release kept this private key as keys/signing-key.pem in the data folder of another worker. Start a worker with that folder, or run: ${cure}`
    : `SEALWRIGHT_SIGNING_KEY_P12_FILE is not set for this worker, or has another key. Set the same file for every seal worker, or run: ${cure}`
}

function openStored(keys: MaterialPlaces['keys'], wanted: WantedVersion): Found {
  const text = decryptKey(keys, wanted)
  if (text === undefined) return failed('MaterialChanged', storedKeyAltered(wanted))
  return { kind: 'found', key: { kind: 'PEM', text } }
}

/** Says what to do about a stored key that is not the one that was stored. */
export function storedKeyAltered(wanted: Pick<WantedVersion, 'selfMade' | 'orgId'>): string {
  return `The stored private key, or its certificate, was altered in the database. Restore both from a backup, or run: ${replacingCommand(wanted)}`
}

function failed(reason: LoadFailure, message: string): Found {
  return { kind: 'failed', reason, message }
}

async function readSecret(secrets: SecretReader | undefined, reference: SecretReference): Promise<Found> {
  const { namespace, name } = reference
  if (!secrets) return failed('Unavailable', 'This worker has no access to Kubernetes.')
  try {
    const isNamedByUser = reference.passwordKey !== undefined
    const entries = await secrets.read(namespace, name, isNamedByUser ? isForSigning : isOfService)
    if (!entries) return failed('SecretMissing', isNamedByUser ? notForSigning(reference) : missingSecret(reference))
    return reference.key === 'tls.key' ? pemOf(entries, reference) : pkcs12Of(entries, reference)
  } catch (error) {
    return failed(
      'Unavailable',
      `The Secret ${namespace}/${name} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

/** The service has created the Secret and its name. */
const isOfService: SecretRule = () => true

const isForSigning: SecretRule = ({ labels }) => labels?.[SIGNING_KEY_LABEL] === 'true'

function missingSecret({ namespace, name }: SecretReference): string {
  return `The Secret ${namespace}/${name} does not exist.`
}

/** Uses one wording whether it exists or not, because the user who wrote the object may have no right to learn which Secrets exist. */
function notForSigning({ namespace, name }: SecretReference): string {
  const command = `kubectl -n ${namespace} label secret ${name} ${SIGNING_KEY_LABEL}=true`
  return `There is no Secret ${namespace}/${name} with the label ${SIGNING_KEY_LABEL}: "true", and no other is read. An owner of the Secret sets it: ${command}.`
}

function pkcs12Of(entries: Readonly<Record<string, string>>, { namespace, name, key, passwordKey }: SecretReference): Found {
  const file = entries[key]
  if (file === undefined) return failed('SecretMissing', `The Secret ${namespace}/${name} has no entry ${key}.`)
  const password = passwordKey === undefined ? '' : entries[passwordKey]
  if (password === undefined) return failed('SecretMissing', `The Secret ${namespace}/${name} has no entry ${passwordKey}.`)
  // A password file often ends with a line break that is not part of the password.
  const text = Buffer.from(password, 'base64')
    .toString('utf8')
    .replace(/\r?\n$/, '')
  return { kind: 'found', key: { kind: 'P12', bytes: Buffer.from(file, 'base64'), password: text } }
}

/** PEM of a key and its chain, as cert-manager writes it. */
function pemOf(entries: Readonly<Record<string, string>>, { namespace, name }: SecretReference): Found {
  const missing = ['tls.key', 'tls.crt'].find((entry) => entries[entry] === undefined)
  if (missing !== undefined) return failed('SecretMissing', `The Secret ${namespace}/${name} has no entry ${missing}.`)
  const parts = ['tls.key', 'tls.crt', 'ca.crt'].map((entry) => Buffer.from(entries[entry] ?? '', 'base64').toString('latin1'))
  return { kind: 'found', key: { kind: 'PEM', text: parts.join('\n') } }
}
