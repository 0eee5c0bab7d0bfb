// Both object stores, empty and separate, with all that is needed to follow their presigned URLs.
import { createSecretKey, randomBytes, randomUUID } from 'node:crypto'
import { type Server, createServer } from 'node:http'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CreateBucketCommand } from '@aws-sdk/client-s3'
import { downloadHeaders } from '#core/platform/storage/attachment.ts'
import { openFileStore } from '#core/platform/storage/files/file-store.ts'
import type { ObjectStore } from '#core/platform/storage/object-store.ts'
import { readDownload } from '#core/platform/storage/presign.ts'
import { type S3StoreOptions, newS3Client } from '#core/platform/storage/s3/s3-client.ts'
import { openS3Store } from '#core/platform/storage/s3/s3-store.ts'
import { inject } from 'vitest'

export interface TestStore {
  store: ObjectStore
  /** For files to be stored; on the same file system as a file store. */
  spool: string
  close(): Promise<void>
}

export const STORES: readonly { name: string; open(): Promise<TestStore> }[] = [
  { name: 'file store', open: openTestFileStore },
  { name: 'S3 store', open: openTestS3Store },
]

/** The options of a store over a bucket that exists. */
export async function newBucket(): Promise<S3StoreOptions> {
  const options = { ...inject('s3'), publicEndpoint: undefined, bucket: `test-${randomUUID()}`, forcePathStyle: true }
  const client = newS3Client(options, options.endpoint)
  await client.send(new CreateBucketCommand({ Bucket: options.bucket }))
  client.destroy()
  return options
}

async function openTestFileStore(): Promise<TestStore> {
  const spool = await mkdtemp(join(tmpdir(), 'sealwright-files-'))
  const presignKey = createSecretKey(randomBytes(32))
  let store: ObjectStore | undefined
  const server = createServer((request, response) => {
    const read = readDownload([presignKey], (request.url ?? '').slice('/downloads/'.length), new Date())
    if (store && read.verdict === 'valid') {
      const { key, fileName, contentType } = read.download
      response.writeHead(200, downloadHeaders(fileName, contentType))
      void store.readStream(key).then(({ stream }) => stream.pipe(response))
    } else {
      response.writeHead(404).end()
    }
  })
  const publicUrl = await listen(server)
  store = openFileStore({ folder: join(spool, 'store'), publicUrl, presignKey })
  return {
    store,
    spool,
    async close() {
      server.close()
      await rm(spool, { recursive: true })
    },
  }
}

async function openTestS3Store(): Promise<TestStore> {
  const spool = await mkdtemp(join(tmpdir(), 'sealwright-spool-'))
  const store = openS3Store(await newBucket())
  return {
    store,
    spool,
    async close() {
      await store.close()
      await rm(spool, { recursive: true })
    },
  }
}

function listen(server: Server): Promise<string> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`)
    })
  })
}
