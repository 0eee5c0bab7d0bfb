// The subjects of messages: events of envelopes and signers, and jobs that are due.
export const EVENT_TYPES = [
  'envelope.sent',
  'envelope.completed',
  'envelope.cancelled',
  'envelope.expired',
  'signer.signed',
  'signer.viewed',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

export type WorkSubject = 'sealwright.seal.requested' | 'sealwright.mail.requested' | 'sealwright.report.requested'
export type Subject = `sealwright.${EventType}` | WorkSubject
