// The query of listEnvelopes. An empty filter is no filter; what is malformed is 400 and named. Decisions, "Envelopes, lists, labels".
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { ENVELOPE_STATUSES, type EnvelopeStatus } from '#core/envelope/rules.ts'
import type { EnvelopePage } from '#core/envelope/list-envelopes.ts'
import type { EnvelopeFilter } from '#core/envelope/envelope-filter.ts'
import { WorkspaceId } from '#core/ids.ts'
import {
  MAX_LABEL_KEY_CHARACTERS,
  MAX_LABEL_TERMS,
  MAX_LABEL_VALUE_CHARACTERS,
  MAX_PAGE_SIZE,
  MAX_TITLE_CHARACTERS,
} from '#core/limits.ts'
import { z } from 'zod'
import { EnvelopeResponse, toEnvelopeResponse } from './envelope.ts'
import { pageOf } from './page.ts'
import { Instant, text } from './text.ts'

/** A filter of a query: an empty one is none. Decisions, "Smaller points". */
export const filled = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional()).meta({ allowEmptyValue: true })
/** Postgres and JSON name the years before and after in other words. */
const KeptInstant = Instant.refine(
  (at) => at.getUTCFullYear() >= 1 && at.getUTCFullYear() <= 9999,
  'must be in the years 1 to 9999',
)
/** Ten terms of the longest keys and values, with the signs between. */
const MAX_LABELS_FILTER_CHARACTERS = MAX_LABEL_TERMS * (MAX_LABEL_KEY_CHARACTERS + MAX_LABEL_VALUE_CHARACTERS + 2)
const MAX_INT32 = 2_147_483_647
const whole = z
  .string()
  .regex(/^\d{1,10}$/, 'must be a whole number')
  .transform(Number)
  .refine((number) => number <= MAX_INT32, `must be at most ${MAX_INT32}`)

// A query carries text; what it says is a number.
const wholeNumber = { type: 'integer', format: 'int32', maximum: MAX_INT32, pattern: undefined } as const

/** The two fields by which every paged list is walked. */
export const PAGE_FIELDS = {
  page: filled(whole).meta({
    ...wholeNumber,
    minimum: 0,
    default: 0,
    description: 'From 0; page times size is at most 100,000.',
  }),
  size: filled(whole.refine((size) => size >= 1, 'must be at least 1')).meta({
    ...wholeNumber,
    minimum: 1,
    default: 20,
    description: `Entries a page; more than ${MAX_PAGE_SIZE} is cut to ${MAX_PAGE_SIZE} and shown in the answer.`,
  }),
}

export const ListEnvelopesQuery = z
  .object({
    ...PAGE_FIELDS,
    status: filled(z.string().transform(readStatuses)).meta({
      pattern: `^(${ENVELOPE_STATUSES.join('|')})(,(${ENVELOPE_STATUSES.join('|')}))*$`,
      description: 'One status, or several with commas: any of them.',
      examples: ['SENT,IN_PROGRESS'],
    }),
    labels: filled(text(MAX_LABELS_FILTER_CHARACTERS).transform(readLabelTerms)).meta({
      description: `Terms with commas between: all must hold. \`key=value\` or \`key:value\`, or a bare \`key\` for its presence; at most ${MAX_LABEL_TERMS}. A value that holds a comma cannot be asked for.`,
      examples: ['contract=lease-14,region'],
    }),
    fromDate: filled(KeptInstant).meta({ description: 'Created at this instant or later.' }),
    toDate: filled(KeptInstant).meta({ description: 'Created before this instant.' }),
    title: filled(text(MAX_TITLE_CHARACTERS)).meta({
      description:
        'Part of the title, in any case: by the full case folding of Unicode, whatever the normalization form. `STRASSE` finds `Straße`.',
    }),
    workspaceId: filled(WorkspaceId).meta({ description: 'One that the caller cannot read yields an empty page.' }),
  })
  .refine(({ fromDate, toDate }) => !fromDate || !toDate || fromDate <= toDate, {
    path: ['fromDate'],
    message: 'must not be after toDate',
  })

export const PagedEnvelopeResponse = pageOf(EnvelopeResponse).meta({
  id: 'PagedEnvelopeResponse',
  description: 'One page of envelopes, newest first.',
})

/** The page asked for; a size above the largest is cut to it and shown in the answer. */
export function toPage({ page, size }: { page?: number | undefined; size?: number | undefined }): { page: number; size: number } {
  return { page: page ?? 0, size: Math.min(size ?? 20, MAX_PAGE_SIZE) }
}

export function toFilter({
  status,
  labels,
  fromDate,
  toDate,
  title,
  workspaceId,
}: z.output<typeof ListEnvelopesQuery>): EnvelopeFilter {
  return { statuses: status ?? [], labels: labels ?? { pairs: [], keys: [] }, from: fromDate, to: toDate, title, workspaceId }
}

function readStatuses(given: string): EnvelopeStatus[] {
  return given.split(',').map((name) => {
    const status = ENVELOPE_STATUSES.find((known) => known === name.trim())
    if (!status) throw new DomainError('INVALID_STATUS')
    return status
  })
}

/** `key=value` or `key:value`, a bare `key` for presence, joined by commas: all must hold. */
function readLabelTerms(given: string, context: z.RefinementCtx): EnvelopeFilter['labels'] {
  const terms = given.split(',').filter(Boolean)
  if (terms.length > MAX_LABEL_TERMS) context.addIssue({ code: 'custom', message: `must have at most ${MAX_LABEL_TERMS} terms` })
  const split = terms.map((term) => /^([^=:]*)(?:[=:]([\s\S]*))?$/.exec(term))
  if (split.some((term) => !term?.[1]?.trim())) context.addIssue({ code: 'custom', message: 'contains a term without a key' })
  // No key holds white space, so that around one it means nothing; in a value it does.
  const named = split.map((term) => [term?.[1]?.trim() ?? '', term?.[2]] as const)
  const pairs = named.flatMap(([key, value]) => (value === undefined ? [] : [[key, value.normalize('NFC')] as const]))
  const keys = named.flatMap(([key, value]) => (value === undefined ? [key] : []))
  return { pairs, keys }
}

export function toPagedEnvelopeResponse({ content, ...page }: EnvelopePage) {
  return { content: content.map(toEnvelopeResponse), ...page }
}
