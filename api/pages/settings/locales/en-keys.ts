// Signing keys, in English.

export const enKeys = {
  title: 'Signing keys',
  lead: 'The keys and certificates that seal your documents. The operator of this installation manages them.',
  current: 'Active',
  former: 'Retired',
  selfSigned: 'Self-signed',
  imported: 'Imported',
  selfSignedTitle: 'Documents are sealed with a self-signed key',
  selfSignedBody:
    'Changes to a sealed document are still detected, but PDF readers show the signature’s issuer as unknown. For production, import a key with a certificate from a recognised authority.',
  compromised: 'Marked as compromised',
  compromisedFrom: (time: string) => `Seals created after ${time} are not valid.`,
  subject: 'Issued to',
  issuer: 'Issued by',
  validity: 'Valid',
  validFromTo: (from: string, to: string) => `${from} to ${to}`,
  since: 'In use since',
  fingerprint: 'Fingerprint (SHA-256)',
  algorithm: 'Key type',
  download: 'Download certificate chain',
  downloadFailed: 'The certificate chain could not be downloaded',
  emptyTitle: 'No signing keys yet',
  emptyBody: 'The first key appears once the sealing service has started.',
  expired: 'Expired',
  endsSoon: (when: string) => `expires ${when}`,
}
