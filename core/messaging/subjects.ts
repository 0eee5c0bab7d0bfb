// The types of events, and the subjects of messages: a job is due.
export const EVENT_TYPES = [
  'envelope.sent',
  'envelope.completed',
  'envelope.cancelled',
  'envelope.expired',
  'signer.signed',
  'signer.viewed',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

export type Subject =
  | 'sealwright.seal.requested'
  | 'sealwright.mail.requested'
  | 'sealwright.report.requested'
  | 'sealwright.delivery.requested'
  | 'sealwright.probe.requested'
