// Requests with Idempotency-Keys that are under way when everything is killed. The retry must find no effect or its answer, never half of it.
import { randomUUID } from 'node:crypto'
import type postgres from 'postgres'
import { ADA, aDraft } from '../support/builders/envelopes.ts'
import { type Answer, type ApiClient, apiClient } from '../support/clients/api-client.ts'
import { postOnce, uploadOnce } from '../support/clients/keyed-requests.ts'

interface Step {
  /** Makes what the request needs; answers its path. */
  path: (client: ApiClient) => Promise<string>
  ask: (client: ApiClient, path: string, key: string, pdf: Buffer) => Promise<Answer>
  /** The organisation's effects that anybody can see. */
  effects: (sql: postgres.Sql, orgId: string) => PromiseLike<readonly unknown[]>
}

export const STEPS: Record<'upload' | 'attach' | 'create' | 'send', Step> = {
  upload: {
    path: async () => '/api/v1/documents',
    ask: (client, target, key, pdf) => uploadOnce(client, key, target, pdf),
    effects: (sql, orgId) => sql`select 1 from documents where org_id = ${orgId} and stored_at is not null`,
  },
  attach: {
    path: async (client) => `/api/v1/envelopes/${(await aDraft(client)).id}/documents`,
    ask: (client, target, key, pdf) => uploadOnce(client, key, target, pdf),
    effects: (sql, orgId) => sql`select 1 from documents where org_id = ${orgId} and envelope_id is not null`,
  },
  create: {
    path: async () => '/api/v1/envelopes',
    ask: (client, target, key) => postOnce(client, key, target, { title: 'Killed', signers: [ADA] }),
    effects: (sql, orgId) => sql`select 1 from envelopes where org_id = ${orgId}`,
  },
  send: {
    path: async (client) => `/api/v1/envelopes/${(await aDraft(client)).id}/send`,
    ask: (client, target, key) => postOnce(client, key, target),
    effects: (sql, orgId) => sql`select 1 from signing_links where org_id = ${orgId}`,
  },
}
export type StepName = keyof typeof STEPS

const ANSWER = 'insert on idempotency_keys'

/** Where a request is when everything is killed: before this write. */
export const REQUEST_POINTS: [step: StepName, when: string, write: string][] = [
  ['upload', 'before its row is written', 'insert on documents'],
  ['upload', 'when its bytes are stored', 'update of stored_at on documents'],
  ['upload', 'when its effect is written and its answer is not', ANSWER],
  ['attach', 'when its bytes are stored', 'update of stored_at on documents'],
  ['attach', 'when it counts and is not attached', 'update of envelope_id on documents'],
  ['attach', 'when its effect is written and its answer is not', ANSWER],
  ['create', 'before its effect', 'insert on envelopes'],
  ['create', 'when its effect is written and its answer is not', ANSWER],
  ['send', 'in the middle of its effect', 'insert on outbox'],
  ['send', 'when its effect is written and its answer is not', ANSWER],
]

/** A credential of an organisation of its own. */
export interface Credential {
  orgId: string
  clientId: string
  clientSecret: string
}

export interface KeyedRequest {
  step: Step
  credential: Credential
  path: string
  key: string
  effectsBefore: number
  effectsWhenKilled: number
}

/** A request that can be sent, and sent again. */
export async function newKeyedRequest(
  name: StepName,
  credential: Credential,
  url: string,
  sql: postgres.Sql,
): Promise<KeyedRequest> {
  const step = STEPS[name]
  const path = await step.path(await apiClient(url, credential))
  const effectsBefore = (await step.effects(sql, credential.orgId)).length
  return { step, credential, path, key: randomUUID(), effectsBefore, effectsWhenKilled: -1 }
}

/** Sends it, with the same key each time. */
export async function sendKeyed({ step, credential, path, key }: KeyedRequest, url: string, pdf: Buffer): Promise<Answer> {
  return step.ask(await apiClient(url, credential), path, key, pdf)
}

/** How many effects its organisation can see. */
export async function effectsOf({ step, credential }: KeyedRequest, sql: postgres.Sql): Promise<number> {
  return (await step.effects(sql, credential.orgId)).length
}
