// The ground of the races: the use cases on a real Postgres, envelopes made in a few milliseconds, and rounds that end with every rule asked.
import type { CredentialCaller, Core } from '#core/context.ts'
import { createEnvelope, type EnvelopeInput } from '#core/envelope/create-envelope.ts'
import { sendEnvelope, type SigningToken } from '#core/envelope/send-envelope.ts'
import { recordViewOpened } from '#core/ceremony/record-view.ts'
import { signEnvelope } from '#core/ceremony/sign-envelope.ts'
import { CredentialId, type EnvelopeId } from '#core/ids.ts'
import type { Inspection } from '#core/pdf/inspect/inspection.ts'
import type { Sql } from '#core/postgres/client.ts'
import { expect } from 'vitest'
import { ADA } from '../envelopes.ts'
import { anUploadRow, type Organisation } from '../rows.ts'
import { SIGNATURE_IMAGE } from '../signer.ts'
import { testService, type TestService } from '../test-service.ts'
import { type Contender, freely, inOrder, type Outcome } from './arrange.ts'
import { brokenRules } from './invariants.ts'

/** Rounds of a race, and of one that differs from another only in who runs it. */
export const MANY = 90
export const SOME = 30
export const NOWHERE = { address: null, userAgent: null }

export interface World extends AsyncDisposable {
  service: TestService
  /** Uploads are taken unread and seals drawn as a few bytes: what they look like has no part in who is first. */
  core: Core
  caller: CredentialCaller
  organisation: Organisation
  draft(input?: Partial<EnvelopeInput>): Promise<EnvelopeId>
  sent(input?: Partial<EnvelopeInput>): Promise<{ id: EnvelopeId; tokens: SigningToken[] }>
  /** Sent, and every signer whose turn it is has opened the documents. */
  viewed(input?: Partial<EnvelopeInput>): Promise<{ id: EnvelopeId; tokens: SigningToken[] }>
  sign(token: SigningToken): Promise<unknown>
}

/** Makes asking the rules quick; the product has no need of these. */
const FOR_THE_RULES = `
  create index on outbox ((body->'data'->'envelope'->>'id'));
  create index on outbox ((body->>'envelopeId'));
  create index on outbox ((body->>'mailId'));
  create index on documents (envelope_id);
  create index on envelopes (id);
  create index on mails (envelope_id);
  create index on signatures (signer_id);
  create index on otp_challenges (signer_id);
  create index on signing_links (envelope_id);
  create index on signers (envelope_id);
  create index on audit_events (envelope_id)`

/** Without quotas, unless `environment` sets one. */
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
  const inspection = { ...service.api.threads.inspection, inspect: async () => ({}) as unknown as Inspection }
  const core: Core = { ...service.api, threads: { ...service.api.threads, drawing, inspection } }
  const { orgId, clientId, generalWorkspaceId: workspaceId } = service.organisation
  const [credential] = await service.database.owner`select id from credentials where client_id = ${clientId}`
  const credentialId = CredentialId.parse(credential!['id'])
  const caller: CredentialCaller = { kind: 'credential', orgId, credentialId, clientId, origin: NOWHERE }

  const organisation = { orgId, workspaceId }
  const draft: World['draft'] = async (input = {}) => {
    const documentIds = [await anUploadRow(service.database.system, organisation)]
    const plain = { title: 'Lease', signers: [ADA], documentIds, otpRequired: false, sequentialSigning: false, labels: [] }
    return (await createEnvelope(core, caller, { ...plain, ...input })).id
  }
  const sent: World['sent'] = async (input) => {
    const id = await draft(input)
    return { id, tokens: (await sendEnvelope(core, caller, id)).signingTokens }
  }
  const viewed: World['viewed'] = async (input) => {
    const envelope = await sent(input)
    const due = envelope.tokens.filter(({ expiresAt }) => expiresAt !== null)
    await Promise.all(due.map(({ token }) => recordViewOpened(core, token, NOWHERE)))
    return envelope
  }
  const sign: World['sign'] = ({ token }) => signEnvelope(core, token, { signatureImage: SIGNATURE_IMAGE }, NOWHERE)
  return {
    service,
    core,
    caller,
    organisation,
    draft,
    sent,
    viewed,
    sign,
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}

export interface Round {
  id: EnvelopeId
  first: Contender
  second: Contender
}

/** How often each pair of outcomes came, first contender's and second's, by who stood in front. */
export interface Tally {
  firstInFront: Record<string, number>
  secondInFront: Record<string, number>
  freely: Record<string, number>
}

const HEAD_STARTS = 30

/** Runs so many rounds: a third with the first in front, a third with the second, a third as it comes. Throws when a rule is broken after one. */
export async function race(world: World, rounds: number, prepare: () => Promise<Round>): Promise<Tally> {
  const tally: Tally = { firstInFront: {}, secondInFront: {}, freely: {} }
  const { database } = world.service
  for (let number = 0; number < rounds; number++) {
    const { id, first, second } = await prepare()
    const lock = (sql: Sql) => lockRow(sql, id)
    const count = (way: keyof Tally, outcomes: readonly (Outcome | undefined)[]) => {
      const pair = outcomes.join(', ')
      tally[way][pair] = (tally[way][pair] ?? 0) + 1
    }
    if (number % 3 === 0) count('firstInFront', await inOrder(database, lock, [first, second]))
    else if (number % 3 === 1) count('secondInFront', (await inOrder(database, lock, [second, first])).toReversed())
    else count('freely', await freely(database, [first, second], Math.floor(number / 3) % HEAD_STARTS))
    await assertSound(world, id, number)
  }
  return tally
}

/** Throws, with the round and what is broken, unless every rule holds. */
export async function assertSound(world: World, id: string, round: number): Promise<void> {
  const broken = await brokenRules(world.service.database.owner, world.core, world.caller.orgId, id)
  if (broken.length > 0) throw new Error(`Round ${round}, envelope ${id}: broken is "${broken.join('", "')}".`)
}

/** That both contenders met in every round: whoever stood in front had the first answer pair, or the second, and nobody ever had another. */
export function expectEither(tally: Tally, whenFirst: string, whenSecond: string): void {
  expect(Object.keys(tally.firstInFront)).toEqual([whenFirst])
  expect(Object.keys(tally.secondInFront)).toEqual([whenSecond])
  expect(Object.keys(tally.freely).filter((pair) => pair !== whenFirst && pair !== whenSecond)).toEqual([])
}

/** What every change of an envelope must take first. */
export function lockRow(sql: Sql, id: string): Promise<unknown> {
  return sql`select from envelopes where id = ${id} for update`
}
