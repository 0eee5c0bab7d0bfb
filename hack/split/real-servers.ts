// The servers of the split run: the settings name them, or real ones are started here.
import path from 'node:path'
import type { Settings } from '#core/platform/config/settings.ts'
import { chooseDatabase } from '../embedded/choose-database.ts'
import type { DataFolder } from '../embedded/data-folder.ts'
import type { Identity } from '../embedded/secrets.ts'
import { startNatsServer } from '../servers/nats-server.ts'
import { BUCKET, createBucket, s3Settings } from '../servers/s3-bucket.ts'
import { startVersitygw } from '../servers/versitygw.ts'

export interface RealServers {
  databaseUrl: string
  /** Settings for the tiers; empty for servers that the environment names. */
  environment: Record<string, string>
  lines: string[]
}

/** Starts the servers that the settings do not name; the stack stops them. The first run builds the Go programs. */
export async function startRealServers(
  settings: Settings,
  folder: DataFolder,
  identity: Identity,
  stack: AsyncDisposableStack,
): Promise<RealServers> {
  const database = await chooseDatabase(settings, folder, identity, stack)
  const nats = settings.natsUrl ? undefined : await startNats(folder, stack)
  const s3 = settings.s3Endpoint ? undefined : await startS3(folder, stack)
  return {
    databaseUrl: database.url,
    environment: { ...nats?.environment, ...s3?.environment },
    lines: [
      database.line,
      nats?.line ?? 'notifier: NATS as set in SEALWRIGHT_NATS_URL',
      settings.smtpUrl
        ? 'email: sent through SEALWRIGHT_SMTP_URL'
        : `email: not sent, kept in ${path.join(folder.root, 'mails')}`,
      s3?.line ?? `documents: bucket ${settings.s3Bucket} at ${settings.s3Endpoint}`,
    ],
  }
}

async function startNats(folder: DataFolder, stack: AsyncDisposableStack) {
  console.log('Starting NATS...')
  const server = await startNatsServer({ dataDir: path.join(folder.root, 'nats') })
  stack.defer(() => server.stop())
  return { environment: { SEALWRIGHT_NATS_URL: server.url }, line: `notifier: NATS at ${server.url}` }
}

async function startS3(folder: DataFolder, stack: AsyncDisposableStack) {
  console.log('Starting the S3 server...')
  const server = await startVersitygw({ dataDir: path.join(folder.root, 's3') })
  stack.defer(() => server.stop())
  await createBucket(server)
  return { environment: s3Settings(server), line: `documents: bucket ${BUCKET} at ${server.endpoint}` }
}
