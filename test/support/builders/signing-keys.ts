// Signing keys as a process that seals has opened them, and workers of the test that load them.
import { readFileSync } from 'node:fs'
import type { StorelessCore } from '#core/context.ts'
import { type KeyRing, openKeyRing } from '#core/signing-key/loading/key-ring.ts'
import type { OpenedKey } from '#core/signing-key/loading/key-task.ts'
import type { SecretReader } from '#core/platform/kubernetes/secret-reader.ts'
import { readKey } from '#core/signing-key/list-keys.ts'
import { toOpenedCertificate } from '#core/signing-key/opened-certificate.ts'
import { type SigningKey, writePemKey } from '#core/pades/signing-key.ts'
import { sharedThreads } from '../servers/shared-threads.ts'

export function openedKey(key: SigningKey): OpenedKey {
  return { pem: writePemKey(key), certificate: toOpenedCertificate(key) }
}

/** The entries of a Secret as cert-manager writes it. */
export function pemEntries(key: SigningKey): { 'tls.key': string; 'tls.crt': string } {
  const pem = writePemKey(key)
  const at = pem.indexOf('-----BEGIN CERT')
  return { 'tls.key': pem.slice(0, at), 'tls.crt': pem.slice(at) }
}

/** One of the P12 files of the unit tests; their password is "secret". */
export function p12File(name: string): Buffer {
  return readFileSync(new URL(`../../unit/core/pades/p12/${name}.p12`, import.meta.url))
}

/** Kubernetes Secrets of the namespace `keys`, by name, that a test changes; labelled for signing keys. */
export class TestSecrets implements SecretReader {
  readonly #secrets = new Map<string, Record<string, string>>()
  /** Reads of Secrets so far. */
  reads = 0

  set(name: string, entries: Record<string, Buffer | string>): void {
    const encoded = Object.entries(entries).map(([key, value]) => [key, Buffer.from(value).toString('base64')])
    this.#secrets.set(name, Object.fromEntries(encoded))
  }

  clear(): void {
    this.#secrets.clear()
  }

  async read(namespace: string, name: string): Promise<Record<string, string> | undefined> {
    this.reads += 1
    return namespace === 'keys' ? this.#secrets.get(name) : undefined
  }
}

/** A process that seals; its loops are the test's. `file`: the key of its settings. */
export async function keyWorker(
  core: Pick<StorelessCore, 'database' | 'keys' | 'log'>,
  { file, secrets, name }: { file?: OpenedKey; secrets?: SecretReader; name?: string } = {},
): Promise<KeyRing> {
  const places = { keys: core.keys, ...(file && { file }), ...(secrets && { secrets }) }
  const ring = openKeyRing({ core, places, opener: sharedThreads().opener, ...(name !== undefined && { name }) })
  await ring.heartbeat()
  return ring
}

/** Activates an announced version: one worker loads it, and leaves. */
export async function activateKey(
  { system }: { system: Pick<StorelessCore, 'database' | 'keys' | 'log'> },
  { keyId, version }: { keyId: string; version: number },
): Promise<void> {
  await using worker = await keyWorker(system)
  await worker.sync()
  const key = await readKey(system, { id: keyId })
  if (key?.active?.version !== version) throw new Error(`The version is not active: ${JSON.stringify(key?.next?.failure)}`)
}
