// Builds envelopes; tests state only what differs from the default.
import { readFile } from 'node:fs/promises'
import type { ApiClient } from '../clients/api-client.ts'
import { pdfFixture } from './pdf-fixtures.ts'

export interface EnvelopeOverrides {
  [field: string]: unknown
}

export const ADA = { email: 'ada@example.test', name: 'Ada Signer' }
export const BEN = { email: 'ben@example.test', name: 'Ben Signer' }

/** A draft with one document and, by default, one signer. */
export async function aDraft(client: ApiClient, overrides: EnvelopeOverrides = {}) {
  const upload = await client.upload('/api/v1/documents', await readFile(pdfFixture('reportlab.pdf')))
  const body = { title: 'Garden lease', signers: [ADA], documentIds: [upload.body.id], ...overrides }
  const created = await client.post('/api/v1/envelopes', body)
  if (created.status !== 201) throw new Error(`No draft: ${created.status} ${JSON.stringify(created.body)}`)
  return created.body
}

export interface SentToken {
  signerId: string
  email: string
  token: string
  signingUrl: string
  expiresAt: string | null
}

/** A sent envelope with its signing tokens in the signers' order. */
export async function aSentEnvelope(
  client: ApiClient,
  overrides: EnvelopeOverrides = {},
): Promise<{ id: string; tokens: SentToken[] }> {
  const { id } = await aDraft(client, overrides)
  const sent = await client.post(`/api/v1/envelopes/${id}/send`)
  if (sent.status !== 200) throw new Error(`Not sent: ${sent.status} ${JSON.stringify(sent.body)}`)
  return { id, tokens: sent.body.signingTokens }
}
