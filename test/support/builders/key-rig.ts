// The signing keys of a database, with the Secrets, objects and workers of a test.
import { randomBytes, randomUUID } from 'node:crypto'
import type { StorelessCore } from '#core/context.ts'
import { createOrganisation } from '#core/account/organisation/create-organisation.ts'
import type { OrgId } from '#core/ids.ts'
import { newSelfSignedKey } from '#core/pades/self-signed-key.ts'
import { readSettings } from '#core/platform/config/read-settings.ts'
import { deriveInstallationKeys } from '#core/platform/crypto/installation-keys.ts'
import { openLog } from '#core/platform/log.ts'
import { takeLeadership } from '#core/mirror/take-leadership.ts'
import { announceVersion } from '#core/signing-key/announce-version.ts'
import { chooseVersion } from '#core/signing-key/choose-version.ts'
import { readKey } from '#core/signing-key/list-keys.ts'
import type { SigningKeyView } from '#core/signing-key/signing-key.ts'
import { storeSelfSignedKey } from '#core/signing-key/store-self-signed-key.ts'
import { type ManagedKey, type ManagedKeyOutcome, upsertManagedKey } from '#core/signing-key/upsert-managed-key.ts'
import { testDatabase, type TestDatabase } from '../servers/test-database.ts'
import type { KeyRing } from '#core/signing-key/loading/key-ring.ts'
import { keyWorker, openedKey, p12File, TestSecrets } from './signing-keys.ts'

export const FENCE = { transitions: 1 }
/** The installation's own key. */
export const OWN_KEY = openedKey(await newSelfSignedKey({ commonName: 'Own seal', organisation: 'Test', now: new Date() }))

export interface KeyRig extends AsyncDisposable {
  database: TestDatabase
  core: StorelessCore
  orgId: OrgId
  /** Good keys are in the Secrets `good` and `better`. */
  secrets: TestSecrets
  /** Removes every key but the installation's own, and every worker. */
  reset(): Promise<void>
  upsert(key: ManagedKey, allowSelfSigned?: boolean): Promise<ManagedKeyOutcome>
  /** The id of the key. Throws when the object is refused. */
  applied(key: ManagedKey): Promise<string>
  announce(keyId: string, secret: string, request?: string): Promise<{ version: number }>
  worker(name: string): Promise<KeyRing>
  view(keyId: string): Promise<SigningKeyView>
  /** The key and version that seal, or why documents wait. */
  sealing(org?: OrgId): Promise<string>
}

let objects = 0
/** A new object, younger than those before it. */
export function aManagedKey(changes: Partial<ManagedKey> = {}): ManagedKey {
  objects += 1
  const createdAt = new Date(Date.UTC(2026, 0, 1, 0, 0, objects))
  const object = { namespace: 'keys', name: `key-${objects}`, uid: randomUUID(), generation: 1, createdAt }
  return { ...object, orgId: null, state: 'ACTIVE', compromisedSince: null, providerType: 'PKCS12', ...changes }
}

export function statesOf({ versions }: SigningKeyView): string[] {
  return versions.map(({ version, state }) => `${version} ${state}`)
}

export async function keyRig(): Promise<KeyRig> {
  const database = await testDatabase()
  const { settings } = readSettings({})
  const keys = deriveInstallationKeys(randomBytes(32))
  const core = { database: database.system, keys, settings: { ...settings, publicUrl: 'http://test' }, log: openLog('silent') }
  const { orgId } = await createOrganisation(core, { name: 'Test' })
  const secrets = new TestSecrets()
  await takeLeadership(core, { ...FENCE, holder: 'test' })
  const upsert: KeyRig['upsert'] = (key, allowSelfSigned = false) => upsertManagedKey(core, FENCE, key, { allowSelfSigned })
  return {
    database,
    core,
    orgId,
    secrets,
    upsert,
    async reset() {
      await database.moveClock(0)
      await database.owner`delete from key_workers`
      await database.owner`delete from signing_keys`
      await storeSelfSignedKey(core, { key: OWN_KEY })
      secrets.clear()
      secrets.set('good', { 'tls.p12': p12File('p256-aes'), password: 'secret\n' })
      secrets.set('better', { 'tls.p12': p12File('rsa-aes'), password: 'secret' })
    },
    async applied(key) {
      const outcome = await upsert(key)
      if (outcome.outcome !== 'applied') throw new Error(outcome.message)
      return outcome.id
    },
    announce(keyId, name, request) {
      const material = { kind: 'SECRET', namespace: 'keys', name, key: 'tls.p12', passwordKey: 'password' } as const
      return announceVersion(core, FENCE, { keyId, material, ...(request !== undefined && { request }) })
    },
    worker: (name) => keyWorker(core, { secrets, name }),
    async view(keyId) {
      const view = await readKey(core, { id: keyId })
      if (!view) throw new Error('There is no such key.')
      return view
    },
    async sealing(org = orgId) {
      const choice = await chooseVersion(core, org)
      return choice.waits ? choice.reason : `${choice.version.keyId} ${choice.version.version}`
    },
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}
