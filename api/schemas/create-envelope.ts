// The body of createEnvelope. Spec, "CreateEnvelopeRequest"; decisions, "Envelopes, lists, labels".
import { LABEL_KEY } from '#core/envelope/labels.ts'
import { DocumentId, OrgId, WorkspaceId } from '#core/ids.ts'
import {
  MAX_DOCUMENTS,
  MAX_LABEL_KEY_CHARACTERS,
  MAX_LABEL_VALUE_CHARACTERS,
  MAX_LABELS,
  MAX_LINK_TTL_HOURS,
  MAX_MESSAGE_CHARACTERS,
  MAX_SIGNERS,
  MAX_TITLE_CHARACTERS,
} from '#core/limits.ts'
import { z } from 'zod'
import { AddSignerBody } from './signer.ts'
import { Instant, text } from './text.ts'

/** Parses at most one element beyond the limit; the count is a separate rule. */
function listOf<Element extends z.ZodType>(element: Element, most: number) {
  return z.preprocess((list) => (Array.isArray(list) ? list.slice(0, most + 1) : list), z.array(element))
}

// Parsed by hand, as pairs: z.record and plain objects drop a key named __proto__ before it can be rejected.
const LabelPairs = z
  .unknown()
  .meta({
    type: ['object', 'null'],
    additionalProperties: { type: 'string', maxLength: MAX_LABEL_VALUE_CHARACTERS },
    propertyNames: { pattern: LABEL_KEY.source, maxLength: MAX_LABEL_KEY_CHARACTERS },
    maxProperties: MAX_LABELS,
    description: `Your own key/value pairs, at most ${MAX_LABELS} and 16 KiB in total. Values are stored in Unicode form NFC. You can filter lists by labels.`,
    examples: [{ contract: 'lease-14', region: 'north' }],
  })
  .optional()
  .transform((labels, context): (readonly [string, string])[] => {
    if (labels === undefined || labels === null) return []
    if (typeof labels !== 'object' || Array.isArray(labels)) {
      context.addIssue({ code: 'custom', message: 'must be an object with string values' })
      return z.NEVER
    }
    return Object.entries(labels).map(([key, value]) => {
      if (typeof value === 'string') return [key, value] as const
      context.addIssue({ code: 'custom', message: 'must contain only strings' })
      return [key, ''] as const
    })
  })

const DocumentIds = listOf(DocumentId, MAX_DOCUMENTS)
  .refine((ids) => new Set(ids).size === ids.length, 'must not name a document twice')
  .meta({ uniqueItems: true, maxItems: MAX_DOCUMENTS })
  .nullish()
  .transform((ids) => ids ?? [])

export const CreateEnvelopeBody = z
  .object({
    title: text(MAX_TITLE_CHARACTERS),
    message: text(MAX_MESSAGE_CHARACTERS, 0).nullish().describe('Included in the emails to the signers.'),
    signers: listOf(AddSignerBody, MAX_SIGNERS)
      .meta({ minItems: 1, maxItems: MAX_SIGNERS })
      .nullish()
      .transform((signers) => signers ?? [])
      .describe('At least one. You can add more while the envelope is a draft.'),
    documentIds: DocumentIds.describe('Ids of uploaded documents. Each can be attached to one envelope only.'),
    otpRequired: z.boolean().nullish().describe('If true, signers must enter a one-time code sent by email. Default false.'),
    sequentialSigning: z
      .boolean()
      .nullish()
      .describe(
        'If true, signers sign in the order of `signOrder`. If false (default), all signers get their links at the same time.',
      ),
    expiresAt: Instant.nullish().describe('5 minutes to 366 days ahead. Without it, the envelope does not expire.'),
    linkTtlHours: z
      .int()
      .min(1)
      .max(MAX_LINK_TTL_HOURS)
      .meta({ format: 'int32' })
      .nullish()
      .describe('How many hours a signing link is valid, counted from the email to the signer. Default 72.'),
    labels: LabelPairs,
    workspaceId: WorkspaceId.nullish().describe('Default: the General workspace.'),
    orgId: OrgId.nullish().describe('If given, it must be the organisation of the token.'),
  })
  .meta({
    id: 'CreateEnvelopeRequest',
    description: 'A draft with its signers and, if already uploaded, its documents.',
  })
