// Documents. Spec, "Documents".
import { MAX_FILENAME_BYTES } from '#core/limits.ts'
import { z } from 'zod'
import { DateTime, DownloadUrl, Int64, Uuid } from './scalars.ts'

const fields = {
  id: Uuid,
  filename: z.string().describe(`As uploaded, at most ${MAX_FILENAME_BYTES} bytes.`),
}

export const UploadWarning = z
  .object({
    code: z.enum([
      'NORMALISED',
      'FORM_FIELDS_LOCKED',
      'SCRIPTS_DROPPED',
      'PRINT_FLAGS_SET',
      'SHOWN_NOT_PRINTED',
      'SEAL_OVERLAPS_TEXT',
    ]),
    page: z.int().min(1).nullable().describe('The page concerned, counted from 1. Null when it concerns the whole document.'),
    marker: z.string().optional().describe('The marker concerned, such as `{{signer1}}`.'),
    message: z.string().describe('A sentence for people.'),
  })
  .meta({
    id: 'UploadWarning',
    description:
      'Something that is different in the sealed copy, or may surprise a reader. The document is accepted. More codes may follow.',
  })

const uploadFields = {
  ...fields,
  contentType: z.literal('application/pdf'),
  warnings: z.array(UploadWarning).describe('Empty for most documents.'),
  normalised: z
    .boolean()
    .describe(
      'True when the file was irregular or encrypted and was written again. The result is the document that is shown and sealed.',
    ),
  normalisedReason: z.string().optional().describe('What was irregular. Present when `normalised` is true.'),
}

export const DocumentResponse = z
  .object(uploadFields)
  .meta({ id: 'DocumentResponse', description: 'A document attached to a draft.' })
export type DocumentResponse = z.output<typeof DocumentResponse>

export const UploadedDocumentResponse = z.object({ ...uploadFields, createdAt: DateTime, sizeBytes: Int64.optional() }).meta({
  id: 'UploadedDocumentResponse',
  description: 'A standalone upload. It is deleted after 24 hours unless it is attached to an envelope.',
})
export type UploadedDocumentResponse = z.output<typeof UploadedDocumentResponse>

export const DocumentWithUrlsResponse = z
  .object({
    ...fields,
    downloadUrl: DownloadUrl.nullable().meta({
      description:
        'Presigned URL of the original file, valid for 3600 s; treat it as a secret. Null without the permission `document:download`.',
    }),
    signedUrl: DownloadUrl.nullable().meta({
      description:
        'Presigned URL of the sealed copy, valid for 3600 s; treat it as a secret. Null until the envelope is COMPLETED and sealed, and without the permission `document:download`.',
    }),
  })
  .meta({ id: 'DocumentWithUrlsResponse', description: 'A document of an envelope with its download links.' })
export type DocumentWithUrlsResponse = z.output<typeof DocumentWithUrlsResponse>
