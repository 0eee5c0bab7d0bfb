// The body of an error response. Spec, "Errors".
import { z } from 'zod'
import { DateTime, Int32, Int64 } from './scalars.ts'

const QuotaUse = z
  .object({
    dimension: z.string().describe('Which quota, for instance `STORAGE_BYTES`.'),
    limit: Int64,
    current: Int64.describe('What is used now.'),
  })
  .meta({ id: 'QuotaUse', description: 'What an organisation has used of a quota; present when a quota is the reason.' })

export const ErrorResponse = z
  .object({
    status: Int32.describe('The status code of the answer.'),
    error: z.string().describe("The status code's usual phrase."),
    code: z.string().describe('What went wrong, for programs: one of the codes of the error catalogue. New codes may be added.'),
    message: z.string().describe('What went wrong, for people. May change; do not parse it.'),
    path: z.string().describe('The path that was asked for. Signing tokens in it are masked.'),
    timestamp: DateTime,
    traceId: z.string().optional().describe('Names this request in our log; also in the header `X-Request-Id`.'),
    quota: QuotaUse.optional(),
  })
  .meta({ id: 'ErrorResponse', description: 'Why a request was refused.' })

export type { ErrorCode } from '#core/platform/errors/codes.ts'
