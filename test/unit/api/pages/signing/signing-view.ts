// A signing view that shows only what a test is about.
import type { CeremonyDocument, SigningView } from '../../../../../api/pages/signing/ceremony-client.ts'

export function aDocument(id: string): CeremonyDocument {
  return { id, filename: `${id}.pdf`, downloadUrl: `https://store.example/${id}`, pages: 1, markers: [] }
}

export function aSigningView(overrides: Partial<SigningView> = {}): SigningView {
  return {
    alreadySigned: false,
    envelopeId: 'envelope-1',
    envelopeTitle: 'Garden lease',
    organisationName: 'Example Gardens',
    message: null,
    expiresAt: null,
    requiresOtp: false,
    signerEmail: 'ada@example.test',
    signerName: 'Ada Signer',
    consent: { version: 1, language: 'en', text: 'I, Ada Signer, sign.' },
    documents: [aDocument('one'), aDocument('two'), aDocument('three')],
    ...overrides,
  }
}
