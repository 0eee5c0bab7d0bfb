// Aborts multipart uploads whose process has died: no listing of objects shows them, but their parts take room and cost money.
import { AbortMultipartUploadCommand, ListMultipartUploadsCommand, type MultipartUpload, type S3Client } from '@aws-sdk/client-s3'
import { withTries } from './s3-client.ts'
import { statusOf } from './s3-errors.ts'

/** Aborts uploads below `prefix` that began before `olderThan`; returns how many. Throws errors of the SDK. */
export async function abortStaleUploads(client: S3Client, bucket: string, prefix: string, olderThan: Date): Promise<number> {
  let takenBack = 0
  for await (const { Key, UploadId, Initiated } of listUploads(client, bucket, prefix)) {
    if (!Initiated || Initiated >= olderThan) continue
    const command = new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId })
    await withTries(() => client.send(command)).catch(unlessGone)
    takenBack++
  }
  return takenBack
}

/** Pages by key alone, which every store supports: when a key's uploads span two pages, the later ones are left for the next sweep. */
async function* listUploads(client: S3Client, bucket: string, prefix: string): AsyncGenerator<MultipartUpload> {
  let after: string | undefined
  do {
    const command = new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix, KeyMarker: after })
    const page = await withTries(() => client.send(command))
    yield* page.Uploads ?? []
    after = page.IsTruncated ? page.NextKeyMarker : undefined
  } while (after !== undefined)
}

/** Another sweep or the writer itself aborted it first. */
function unlessGone(error: unknown): void {
  if (statusOf(error) !== 404) throw error
}
