// The setting of the races: the use cases on a real Postgres, and envelopes that are built in a few milliseconds.
import type { CredentialCaller, Core } from '#core/context.ts'
import { createEnvelope, type EnvelopeInput } from '#core/envelope/create-envelope.ts'
import { sendEnvelope, type SigningToken } from '#core/envelope/send-envelope.ts'
import { recordViewOpened } from '#core/envelope/ceremony/record-view.ts'
import { signEnvelope } from '#core/envelope/ceremony/sign-envelope.ts'
import { CredentialId, type EnvelopeId } from '#core/ids.ts'
import type { Inspection } from '#core/pdf/inspect/inspection.ts'
import { ADA } from '../../builders/envelopes.ts'
import { anUploadRow, type Organisation } from '../../builders/rows.ts'
import { openStock, type Ready } from './copies.ts'
import { SIGNATURE_IMAGE } from '../../clients/signer.ts'
import { testService, type TestService } from '../../servers/test-service.ts'

export const NOWHERE = { address: null, userAgent: null }

export interface World extends AsyncDisposable {
  service: TestService
  /** Uploads are not parsed and seals are a few bytes, because their content does not matter here. */
  core: Core
  caller: CredentialCaller
  organisation: Organisation
  draft(input?: Partial<EnvelopeInput>): Promise<EnvelopeId>
  sent(input?: Partial<EnvelopeInput>): Promise<Ready>
  /** Sent, and every signer whose turn it is has opened the documents. */
  viewed(input?: Partial<EnvelopeInput>): Promise<Ready>
  sign(token: SigningToken): Promise<unknown>
}

type State = 'draft' | 'sent' | 'viewed'

/** Speeds up the invariant queries; the product does not need these. */
const FOR_THE_RULES = `
  create index on outbox ((body->>'id'));
  create index on documents (envelope_id);
  create index on envelopes (id);
  create index on mails (envelope_id);
  create index on signatures (signer_id);
  create index on otp_challenges (signer_id);
  create index on signing_links (envelope_id);
  create index on signers (envelope_id);
  create index on audit_events (envelope_id)`

const NOT_INSPECTED = { inspection: { places: {}, ink: [] } as unknown as Inspection, normalisation: null }

/** Without quotas unless `environment` sets one. */
export async function raceWorld(environment: Record<string, string> = {}): Promise<World> {
  const quotas = ['EMAILS_PER_HOUR', 'ENVELOPES_SENT_PER_DAY', 'OPEN_ENVELOPES', 'STORAGE_BYTES', 'API_REQUESTS_PER_MINUTE']
  const none = Object.fromEntries(quotas.map((quota) => [`SEALWRIGHT_QUOTA_${quota}`, '0']))
  const service = await testService({ ...none, SEALWRIGHT_RATE_UPLOADS_PER_MINUTE: '0', ...environment })
  await service.database.owner.unsafe(FOR_THE_RULES)
  const drawing = {
    ...service.api.threads.drawing,
    checkImage: async () => Buffer.from('image'),
    draw: async () => Buffer.from('drawn'),
  }
  const inspection = { ...service.api.threads.inspection, inspect: async () => NOT_INSPECTED }
  const core: Core = { ...service.api, threads: { ...service.api.threads, drawing, inspection } }
  const { orgId, clientId, generalWorkspaceId: workspaceId } = service.organisation
  const [credential] = await service.database.owner`select id from credentials where client_id = ${clientId}`
  const credentialId = CredentialId.parse(credential!['id'])
  const caller: CredentialCaller = { kind: 'credential', orgId, credentialId, clientId, origin: NOWHERE }

  const organisation = { orgId, workspaceId }
  const make = async (state: State, input: Partial<EnvelopeInput>): Promise<Ready> => {
    const documentIds = [await anUploadRow(service.database.system, organisation)]
    const plain = { title: 'Lease', signers: [ADA], documentIds, otpRequired: false, sequentialSigning: false, labels: [] }
    const { id } = await createEnvelope(core, caller, { ...plain, ...input })
    const tokens = state === 'draft' ? [] : (await sendEnvelope(core, caller, id)).signingTokens
    const due = state === 'viewed' ? tokens.filter(({ expiresAt }) => expiresAt !== null) : []
    for (const { token } of due) await recordViewOpened(core, token, NOWHERE)
    return { id, tokens }
  }
  const stocks = new Map<string, () => Promise<Ready>>()
  const take = (state: State, input: Partial<EnvelopeInput> = {}) => {
    const key = JSON.stringify([state, input])
    const stock = stocks.get(key) ?? openStock(service.database.owner, core.keys, orgId, () => make(state, input))
    stocks.set(key, stock)
    return stock()
  }
  const sign: World['sign'] = ({ token }) =>
    signEnvelope(core, token, { signatureImage: SIGNATURE_IMAGE, language: 'en' }, NOWHERE)
  return {
    service,
    core,
    caller,
    organisation,
    draft: async (input) => (await take('draft', input)).id,
    sent: (input) => take('sent', input),
    viewed: (input) => take('viewed', input),
    sign,
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}
