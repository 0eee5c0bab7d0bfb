// An envelope's status as a coloured label; the text alone is sufficient.
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
