// The body of an error response. Spec, "Errors".
import { z } from 'zod'
import { DateTime, Int32, Int64 } from './scalars.ts'

const QuotaUse = z
  .object({
    dimension: z.string().describe('The quota, for example `STORAGE_BYTES`.'),
    limit: Int64,
    current: Int64.describe('Current use.'),
  })
  .meta({ id: 'QuotaUse', description: 'The quota that is used up; present only for `QUOTA_EXCEEDED`.' })

export const ErrorResponse = z
  .object({
    status: Int32.describe('The HTTP status code.'),
    error: z.string().describe('The reason phrase of the status code.'),
    code: z.string().describe('Error code for programs, from the error catalogue. New codes may be added.'),
    message: z.string().describe('Error message for people. It may change; do not parse it.'),
    path: z.string().describe('The requested path. Signing tokens in it are masked.'),
    timestamp: DateTime,
    traceId: z.string().optional().describe('Identifies this request in the log. Also in the header `X-Request-Id`.'),
    quota: QuotaUse.optional(),
  })
  .meta({ id: 'ErrorResponse', description: 'Why a request failed.' })

export type { ErrorCode } from '#core/platform/errors/codes.ts'
