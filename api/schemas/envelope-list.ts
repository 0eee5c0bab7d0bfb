// The query of listEnvelopes. An empty filter is ignored; a malformed one is a 400 that names it. Decisions, "Envelopes, lists, labels".
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { ENVELOPE_STATUSES, type EnvelopeStatus } from '#core/envelope/rules.ts'
import type { EnvelopeFilter } from '#core/envelope/envelope-filter.ts'
import { WorkspaceId } from '#core/ids.ts'
import { MAX_LABEL_KEY_CHARACTERS, MAX_LABEL_TERMS, MAX_LABEL_VALUE_CHARACTERS, MAX_TITLE_CHARACTERS } from '#core/limits.ts'
import { z } from 'zod'
import { filled, PAGE_FIELDS } from './page.ts'
import { KeptInstant, text } from './text.ts'

/** Ten terms of the longest keys and values, with their separators. */
const MAX_LABELS_FILTER_CHARACTERS = MAX_LABEL_TERMS * (MAX_LABEL_KEY_CHARACTERS + MAX_LABEL_VALUE_CHARACTERS + 2)

export const ListEnvelopesQuery = z
  .object({
    ...PAGE_FIELDS,
    status: filled(z.string().transform(readStatuses)).meta({
      pattern: `^(${ENVELOPE_STATUSES.join('|')})(,(${ENVELOPE_STATUSES.join('|')}))*$`,
      description: 'One or more statuses, separated by commas; matches any of them.',
      examples: ['SENT,IN_PROGRESS'],
    }),
    labels: filled(text(MAX_LABELS_FILTER_CHARACTERS).transform(readLabelTerms)).meta({
      description: `Up to ${MAX_LABEL_TERMS} terms, separated by commas; all must match. A term is \`key=value\`, \`key:value\`, or \`key\` (present with any value). Values that contain a comma cannot be searched.`,
      examples: ['contract=lease-14,region'],
    }),
    fromDate: filled(KeptInstant).meta({ description: 'Created at this time or later.' }),
    toDate: filled(KeptInstant).meta({ description: 'Created before this time.' }),
    title: filled(text(MAX_TITLE_CHARACTERS)).meta({
      description:
        'Part of the title, ignoring case (Unicode full case folding) and normalization form: `STRASSE` finds `Straße`.',
    }),
    workspaceId: filled(WorkspaceId).meta({ description: 'If the caller cannot read this workspace, the page is empty.' }),
  })
  .refine(({ fromDate, toDate }) => !fromDate || !toDate || fromDate <= toDate, {
    path: ['fromDate'],
    message: 'must not be after toDate',
  })

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

/** `key=value` or `key:value`, or a bare `key` for presence, joined by commas: all must match. */
function readLabelTerms(given: string, context: z.RefinementCtx): EnvelopeFilter['labels'] {
  const terms = given.split(',').filter(Boolean)
  if (terms.length > MAX_LABEL_TERMS) context.addIssue({ code: 'custom', message: `must have at most ${MAX_LABEL_TERMS} terms` })
  const split = terms.map((term) => /^([^=:]*)(?:[=:]([\s\S]*))?$/.exec(term))
  if (split.some((term) => !term?.[1]?.trim())) context.addIssue({ code: 'custom', message: 'contains a term without a key' })
  // Keys contain no white space, so it is trimmed around them; in values it is significant.
  const named = split.map((term) => [term?.[1]?.trim() ?? '', term?.[2]] as const)
  const pairs = named.flatMap(([key, value]) => (value === undefined ? [] : [[key, value.normalize('NFC')] as const]))
  const keys = named.flatMap(([key, value]) => (value === undefined ? [key] : []))
  return { pairs, keys }
}
