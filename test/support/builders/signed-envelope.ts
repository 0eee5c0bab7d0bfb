// Builders of envelopes that were signed through the ceremony.
import { aSentEnvelope, type EnvelopeOverrides, type SentToken } from './envelopes.ts'
import { signer } from '../clients/signer.ts'
import type { TestService } from '../servers/test-service.ts'

/** Opens the documents and signs; throws unless the signature is accepted. */
export async function signAs(service: Pick<TestService, 'url'>, token: string) {
  const person = signer(service.url, token)
  const viewed = await person.viewOpened()
  if (viewed.status !== 204) throw new Error(`Not viewed: ${viewed.status} ${JSON.stringify(viewed.body)}`)
  const signed = await person.sign()
  if (signed.status !== 200) throw new Error(`Not signed: ${signed.status} ${JSON.stringify(signed.body)}`)
  return signed.body
}

/** Completed: every signer has signed, nothing is sealed yet. */
export async function aSignedEnvelope(
  service: TestService,
  overrides: EnvelopeOverrides = {},
): Promise<{ id: string; tokens: SentToken[] }> {
  const envelope = await aSentEnvelope(service.client, overrides)
  // In order; the last signer's call does not wait for the seal.
  for (const { token } of envelope.tokens.slice(0, -1)) await signAs(service, token)
  const last = envelope.tokens.at(-1)!
  await Promise.all([signAs(service, last.token), sealOnce(service, envelope.id)])
  return envelope
}

/** Waits for the seal job and runs it, so that the last signer's call finds the sealed copy. */
async function sealOnce(service: TestService, envelopeId: string): Promise<void> {
  for (let tries = 0; tries < 3_000; tries++) {
    const due = await service.database.owner`select 1 from seal_jobs where envelope_id = ${envelopeId}`
    if (due.length > 0) return service.sealEnvelopes()
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('Nothing was ever due to be sealed.')
}
