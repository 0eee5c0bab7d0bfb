// Invariants outside the database: files in the bucket, received emails.
import { createHash } from 'node:crypto'
import { deepEqual, equal, ok } from 'node:assert/strict'
import { GetObjectCommand, paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3'
import { ask } from '../clients/ask.ts'
import { mailsTo, type Progress, tokenIn } from '../clients/crash-walk.ts'
import type { DevJson } from '../servers/running-service.ts'

/** Any process's settings, which name the servers. */
export type Servers = Readonly<Record<string, string>>

/** Every recorded sealed copy and report is in the bucket with the recorded bytes, and no other is. */
export async function assertCopiesStored(servers: Servers): Promise<void> {
  const recorded = await ask(
    servers['SEALWRIGHT_DATABASE_URL'] ?? '',
    (sql) => sql<{ key: string; sha256: string }[]>`
    select storage_key as key, encode(sha256, 'hex') as sha256
    from (select storage_key, sha256 from sealed_documents union all select storage_key, sha256 from audit_reports where sha256 is not null) made
    order by storage_key collate "C"`,
  )
  deepEqual(
    await listCopies(servers),
    recorded.map(({ key, sha256 }) => ({ key, sha256 })),
  )
}

async function listCopies(servers: Servers): Promise<{ key: string; sha256: string }[]> {
  const client = openS3(servers)
  const Bucket = servers['SEALWRIGHT_S3_BUCKET'] ?? ''
  const copies = []
  for await (const { Contents: objects = [] } of paginateListObjectsV2({ client }, { Bucket })) {
    for (const { Key: key = '' } of objects.filter(({ Key: name = '' }) => /\/(sealed|reports)\//.test(name))) {
      const { Body: body } = await client.send(new GetObjectCommand({ Bucket, Key: key }))
      const bytes = (await body?.transformToByteArray()) ?? ''
      copies.push({ key, sha256: createHash('sha256').update(bytes).digest('hex') })
    }
  }
  client.destroy()
  return copies
}

function openS3(servers: Servers): S3Client {
  return new S3Client({
    endpoint: servers['SEALWRIGHT_S3_ENDPOINT'] ?? '',
    region: servers['SEALWRIGHT_S3_REGION'] ?? '',
    credentials: {
      accessKeyId: servers['SEALWRIGHT_S3_ACCESS_KEY_ID'] ?? '',
      secretAccessKey: servers['SEALWRIGHT_S3_SECRET_ACCESS_KEY'] ?? '',
    },
    forcePathStyle: true,
  })
}

/** Every signer got one link, possibly several times, and the notice of the sealed copy. Returns the number of emails. */
export async function assertMailed(dev: DevJson, walked: readonly Progress[]): Promise<number> {
  let count = 0
  for (const { email } of walked.flatMap(({ signers }) => signers)) {
    const mails = await mailsTo(dev, email)
    const links = mails.filter(({ subject }) => !subject.startsWith('Completed:'))
    equal(new Set(links.map(({ text }) => tokenIn(text))).size, 1, `one token for ${email}`)
    ok(links.length < mails.length, `word of the copy for ${email}`)
    count += mails.length
  }
  return count
}
