// The status of a delivery, and what kind it is.
import type { Delivery } from '../../data/records.ts'
import { Pill } from '../../frame/parts.tsx'
import { texts } from '../../locales/texts.ts'

const TONES = {
  WAITING: 'active',
  REJECTED_UNREACHABLE: 'warning',
  DELIVERED: 'success',
  GAVE_UP: 'warning',
  NOT_SENT: 'neutral',
  COULD_NOT_BE_BUILT: 'warning',
} as const satisfies Record<Delivery['status'], string>

export function DeliveryStatusPill({ status }: Pick<Delivery, 'status'>) {
  return <Pill tone={TONES[status]}>{texts.deliveries.statuses[status]}</Pill>
}

/** Undefined for the first delivery of a real event. */
export function kindOf({ test, probe, replay }: Pick<Delivery, 'test' | 'probe' | 'replay'>): string | undefined {
  if (probe) return texts.deliveries.probe
  if (test) return texts.deliveries.test
  return replay ? texts.deliveries.replay : undefined
}
