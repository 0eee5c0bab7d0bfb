// An envelope's status as a word on a colour; the word alone says it.
import type { EnvelopeStatus } from '../data/records.ts'
import { Pill } from '../frame/parts.tsx'
import { texts } from '../locales/texts.ts'

const TONES = {
  DRAFT: 'neutral',
  SENT: 'active',
  IN_PROGRESS: 'active',
  COMPLETED: 'success',
  CANCELLED: 'neutral',
  EXPIRED: 'warning',
} as const

export function EnvelopeStatusPill({ status }: { status: EnvelopeStatus }) {
  return <Pill tone={TONES[status]}>{texts.envelopes.statuses[status]}</Pill>
}
