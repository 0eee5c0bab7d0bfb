// Builds audit reports; tests state only what differs from the default.
import type { AuditReport } from '#core/audit-report/audit-report.ts'

type Event = AuditReport['events'][number]
type Signer = AuditReport['signers'][number]

const AT = new Date('2026-11-21T14:05:07.123Z')

export function aReportEvent(overrides: Partial<Event>): Event {
  return {
    seq: 1,
    at: '2026-11-21T14:05:07.123456Z',
    who: 'Ada Signer',
    as: 'ada@example.test',
    what: 'Opened the documents.',
    from: '192.0.2.7',
    by: 'Mozilla/5.0',
    ...overrides,
  }
}

/** Signed, with a code, after opening the documents twice. */
export function aReportedSigner(overrides: Partial<Signer>): Signer {
  return {
    order: 1,
    name: 'Ada Signer',
    email: 'ada@example.test',
    status: 'SIGNED',
    signedAt: AT,
    linkMailedAt: '2026-11-21T13:50:00.000001Z',
    codeAcceptedAt: '2026-11-21T13:58:11.000001Z',
    openings: 2,
    firstOpenedAt: '2026-11-21T13:59:00.000001Z',
    onScreenMs: 75_400,
    signature: {
      id: '6f1f2c1e-7a52-4c0b-9d0e-0d6f0c7b1a01',
      at: '2026-11-21T14:05:07.123456Z',
      consent: { version: 1, language: 'en', text: 'By signing, I agree.' },
      picture: null,
    },
    ...overrides,
  }
}

/** Completed by two signers, with one of two documents sealed. */
export function anAuditReport({
  envelope,
  ...overrides
}: Partial<Omit<AuditReport, 'envelope'>> & { envelope?: Partial<AuditReport['envelope']> }): AuditReport {
  const events = overrides.events ?? [aReportEvent({})]
  return {
    locale: 'en',
    stage: 'FINAL',
    organisation: 'Garden Lettings',
    envelope: {
      id: '0b8f6c1e-4a52-4c0b-9d0e-3d6f0c7b1a42',
      title: 'Garden lease',
      status: 'COMPLETED',
      workspace: 'General',
      createdAt: AT,
      createdBy: 'swc_example',
      otpRequired: true,
      sequentialSigning: false,
      expiresAt: null,
      endedAt: AT.toISOString(),
      ...envelope,
    },
    signers: [aReportedSigner({}), aReportedSigner({ order: 2, name: 'Ben Signer', email: 'ben@example.test' })],
    documents: [
      { name: 'Lease.pdf', sizeBytes: 48_213, sha256: '01'.repeat(32), uploadSha256: null, sealedSha256: '23'.repeat(32) },
      { name: 'Rules.pdf', sizeBytes: 812, sha256: '45'.repeat(32), uploadSha256: null, sealedSha256: null },
    ],
    chain: { valid: true, rows: events.length, headHash: 'ef'.repeat(32) },
    verifyUrl: 'https://sign.example.test/verify',
    madeAt: AT,
    ...overrides,
    events,
  }
}
