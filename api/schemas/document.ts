// Documents. Spec, "Documents".
import { MAX_FILENAME_BYTES } from '#core/limits.ts'
import { z } from 'zod'
import { DateTime, DownloadUrl, Int64, Uuid } from './scalars.ts'

const fields = {
  id: Uuid,
  filename: z.string().describe(`As it was uploaded, at most ${MAX_FILENAME_BYTES} bytes.`),
}

export const DocumentResponse = z
  .object({ ...fields, contentType: z.literal('application/pdf') })
  .meta({ id: 'DocumentResponse', description: 'A document attached to a draft.' })
export type DocumentResponse = z.output<typeof DocumentResponse>

export const UploadedDocumentResponse = z
  .object({ ...fields, contentType: z.literal('application/pdf'), createdAt: DateTime, sizeBytes: Int64.optional() })
  .meta({
    id: 'UploadedDocumentResponse',
    description: 'A standalone upload. It is deleted after 24 h unless an envelope takes it.',
  })
export type UploadedDocumentResponse = z.output<typeof UploadedDocumentResponse>

export const DocumentWithUrlsResponse = z
  .object({
    ...fields,
    downloadUrl: DownloadUrl.nullable().meta({
      description:
        'The original file. Null without the permission `document:download`. Presigned, valid for 3600 s: treat it as a secret.',
    }),
    signedUrl: DownloadUrl.nullable().meta({
      description:
        'The sealed copy, once the envelope is COMPLETED and sealed. Null before, and without the permission `document:download`. Presigned, valid for 3600 s: treat it as a secret.',
    }),
  })
  .meta({ id: 'DocumentWithUrlsResponse', description: 'A document of an envelope with the links to fetch it.' })
export type DocumentWithUrlsResponse = z.output<typeof DocumentWithUrlsResponse>
