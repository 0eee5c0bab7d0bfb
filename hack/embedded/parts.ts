// Chooses each part: the real one when its setting is given, else the embedded one; one line says which of the two it is. Libraries of the
// real ones are loaded when they are chosen, because some of them are large.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Settings } from '#core/config/settings.ts'
import type { CoreSettings } from '#core/context.ts'
import type { InstallationKeys } from '#core/crypto/installation-keys.ts'
import { type KeptMails, openKeptMails } from '#core/mail/kept-mails.ts'
import type { MailTransport } from '#core/mail/mail-transport.ts'
import type { SigningKey } from '#core/seal/signing-key.ts'
import { openFileStore } from '#core/storage/file-store.ts'
import type { ObjectStore } from '#core/storage/object-store.ts'
import postgres from 'postgres'
import { startPostgres } from '../servers/postgres.ts'
import type { DataFolder } from './data-folder.ts'
import { type Identity, keepSelfMadeKey } from './secrets.ts'

const DATABASE = 'sealwright'

/** The database's URL with the owner's rights; an embedded server is stopped with the stack. */
export async function chooseDatabase(
  settings: Settings,
  folder: DataFolder,
  identity: Identity,
  stack: AsyncDisposableStack,
): Promise<{ url: string; line: string }> {
  if (settings.databaseUrl) return { url: settings.databaseUrl.reveal(), line: 'database: as set in SEALWRIGHT_DATABASE_URL' }
  console.log('Starting the embedded Postgres ...')
  const server = await startPostgres({
    dataDir: folder.postgres,
    password: identity.postgresPassword,
    durable: true,
    persistent: true,
  })
  stack.defer(() => server.stop())
  await ensureDatabase(server.url)
  return { url: `${server.url}/${DATABASE}`, line: `database: embedded Postgres in ${folder.postgres}` }
}

async function ensureDatabase(url: string): Promise<void> {
  const admin = postgres(`${url}/postgres`, { max: 1, onnotice: () => {} })
  try {
    const [known] = await admin`select 1 from pg_database where datname = ${DATABASE}`
    if (!known) await admin.unsafe(`create database ${DATABASE}`)
  } finally {
    await admin.end({ timeout: 5 })
  }
}

/** `origin`: where presigned URLs lead, when that is not this service. */
export async function chooseStorage(
  settings: CoreSettings,
  folder: DataFolder,
  keys: InstallationKeys,
): Promise<{ store: ObjectStore; origin?: string; line: string }> {
  const { s3Endpoint, s3Bucket, s3AccessKeyId, s3SecretAccessKey } = settings
  if (s3Endpoint && s3Bucket && s3AccessKeyId && s3SecretAccessKey) {
    const { openS3Store } = await import('#core/storage/s3-store.ts')
    const store = openS3Store({
      endpoint: s3Endpoint,
      publicEndpoint: settings.s3PublicEndpoint,
      region: settings.s3Region,
      bucket: s3Bucket,
      accessKeyId: s3AccessKeyId,
      secretAccessKey: s3SecretAccessKey.reveal(),
      forcePathStyle: settings.s3ForcePathStyle,
    })
    await store.check()
    return {
      store,
      origin: new URL(settings.s3PublicEndpoint ?? s3Endpoint).origin,
      line: `documents: bucket ${s3Bucket} at ${s3Endpoint}`,
    }
  }
  const store = openFileStore({ folder: folder.storage, publicUrl: settings.publicUrl, presignKey: keys.presign })
  await store.check()
  return { store, line: `documents: files in ${folder.storage}` }
}

/** `kept`: the mailbox, when mails are kept instead of sent. */
export async function chooseMail(
  settings: Settings,
  folder: DataFolder,
): Promise<{ transport: MailTransport; kept?: KeptMails; line: string }> {
  if (settings.smtpUrl) {
    const { openSmtp } = await import('#core/mail/smtp.ts')
    return { transport: openSmtp(settings.smtpUrl.reveal(), settings.mailFrom), line: 'mail: sent through SEALWRIGHT_SMTP_URL' }
  }
  const kept = await openKeptMails(folder.mails)
  return { transport: kept, kept, line: 'mail: kept and shown at /dev/mails, never sent' }
}

/** The key that seals. Throws one sentence when the given one cannot at `now`. */
export async function chooseSigningKey(
  settings: Settings,
  folder: DataFolder,
  now: Date,
): Promise<{ key: SigningKey; origin: 'SELF_MADE' | 'IMPORTED'; line: string }> {
  if (!settings.signingKeyP12File) {
    const root = path.join(folder.keys, 'signing-root.pem')
    return {
      key: await keepSelfMadeKey(folder, now),
      origin: 'SELF_MADE',
      line: `signing key: SELF-MADE, trusted by nobody; its root is ${root}`,
    }
  }
  const bytes = await readFile(settings.signingKeyP12File).catch((error: Error) => {
    throw new Error(`SEALWRIGHT_SIGNING_KEY_P12_FILE cannot be read: ${error.message}`)
  })
  const { openP12 } = await import('#core/seal/open-p12.ts')
  const { key } = openP12(bytes, settings.signingKeyP12Password?.reveal() ?? '', now)
  return { key, origin: 'IMPORTED', line: 'signing key: from SEALWRIGHT_SIGNING_KEY_P12_FILE' }
}
