// The object store on S3 or a compatible server: conditional writes, verified reads, presigned URLs to the store itself.
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  type S3Client,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { DOWNLOAD_CACHE_CONTROL, attachmentDisposition } from '#core/platform/storage/attachment.ts'
import { readBuffer, readIntoBuffer } from '#core/platform/storage/read-into-buffer.ts'
import {
  assertObjectKey,
  type ObjectAttributes,
  type ObjectStore,
  type PutOutcome,
  type StoredObject,
} from '#core/platform/storage/object-store.ts'
import { checkBucket } from './s3-check.ts'
import { type S3StoreOptions, newS3Client, withTries } from './s3-client.ts'
import { runningUploads } from './running-uploads.ts'
import { describingS3Errors, statusOf } from './s3-errors.ts'
import { putContent } from './s3-put.ts'
import { getObject } from './s3-read.ts'
import { abortStaleUploads } from './abort-stale-uploads.ts'
import { contentOfBytes, contentOfFile, type UploadContent } from '#core/platform/storage/upload-content.ts'

/** Opens the store; nothing is sent before the first call. */
export function openS3Store(options: S3StoreOptions): ObjectStore {
  const { bucket } = options
  const client = newS3Client(options, options.endpoint)
  const presigner = newS3Client(options, options.publicEndpoint ?? options.endpoint)
  const uploads = runningUploads()
  const put = async (
    key: string,
    source: () => UploadContent | Promise<UploadContent>,
    attributes: ObjectAttributes,
  ): Promise<PutOutcome> => {
    assertObjectKey(key)
    const content = await source()
    return await describingS3Errors(() =>
      uploads.run((stop) => putContent(client, { bucket, key, ...attributes }, content, stop)),
    )
  }
  const store: ObjectStore = {
    putFile: (key, path, attributes) => put(key, () => contentOfFile(path), attributes),
    put: (key, bytes, attributes) => put(key, () => contentOfBytes(bytes), attributes),
    read: (key, range) => call(key, async () => await readBuffer(await getObject(client, bucket, key, range))),
    readInto: (key, memory) =>
      call(key, async () => await readIntoBuffer(await getObject(client, bucket, key, undefined), memory)),
    readStream: (key, range) => call(key, () => getObject(client, bucket, key, range)),
    stat: (key) => call(key, () => head(client, bucket, key)),
    delete: (key) =>
      call(key, async () => {
        await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }))
      }),
    list: (prefix, olderThan) => list(client, bucket, prefix, olderThan),
    dropUnfinished: (prefix, olderThan) => describingS3Errors(() => abortStaleUploads(client, bucket, prefix, olderThan)),
    presignGet: (key, { fileName, contentType, expiresInSeconds, now }) =>
      call(key, () => {
        const command = new GetObjectCommand({
          Bucket: bucket,
          Key: key,
          ResponseContentDisposition: attachmentDisposition(fileName, contentType),
          ResponseContentType: contentType,
          ResponseCacheControl: DOWNLOAD_CACHE_CONTROL,
        })
        return getSignedUrl(presigner, command, { expiresIn: expiresInSeconds, signingDate: now })
      }),
    check: () => checkBucket(store, client, bucket),
    async close() {
      await uploads.close()
      client.destroy()
      presigner.destroy()
    },
  }
  return store
}

async function call<Result>(key: string, operation: () => Promise<Result>): Promise<Result> {
  assertObjectKey(key)
  return await describingS3Errors(() => withTries(operation))
}

async function head(client: S3Client, bucket: string, key: string): Promise<StoredObject | undefined> {
  try {
    const { ContentLength: length = 0, LastModified: storedAt = new Date(0) } = await client.send(
      new HeadObjectCommand({ Bucket: bucket, Key: key }),
    )
    return { key, length, storedAt }
  } catch (error) {
    if (statusOf(error) === 404) return undefined
    throw error
  }
}

async function* list(client: S3Client, bucket: string, prefix: string, olderThan: Date): AsyncGenerator<StoredObject> {
  for await (const page of listPages(client, bucket, prefix)) {
    for (const { Key: key, Size: length, LastModified: storedAt } of page.Contents ?? []) {
      if (key !== undefined && length !== undefined && storedAt && storedAt < olderThan) yield { key, length, storedAt }
    }
  }
}

/** Each page is retried on its own: the SDK's paginator would end a sweep of many pages for one failed response. */
async function* listPages(client: S3Client, bucket: string, prefix: string): AsyncGenerator<ListObjectsV2CommandOutput> {
  let after: string | undefined
  do {
    const command = new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken: after })
    const page = await describingS3Errors(() => withTries(() => client.send(command)))
    yield page
    after = page.IsTruncated ? page.NextContinuationToken : undefined
  } while (after !== undefined)
}
