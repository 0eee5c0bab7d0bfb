// Scalars of responses, with the formats that generated clients rely on.
import { z } from 'zod'

export const Uuid = z.guid()
export const Int32 = z.int().meta({ format: 'int32' })
export const Int64 = z.int().meta({ format: 'int64' })
export const DateTime = z.iso.datetime({ offset: true })

/** A presigned URL grants read access to the file. */
export const DownloadUrl = z.url().describe('Presigned URL, valid for 3600 s. It works without a token, so treat it as a secret.')
