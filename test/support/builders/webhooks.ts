// Webhooks, events and deliveries, for tests of what the database does with them.
import { randomBytes, randomUUID } from 'node:crypto'
import type { StorelessCore } from '#core/context.ts'
import type { ChangedEnvelope } from '#core/event/record-event.ts'
import { recordEvents } from '#core/event/record-event.ts'
import { EnvelopeId, newId, type OrgId, WebhookId } from '#core/ids.ts'
import { EVENT_TYPES, type EventType } from '#core/messaging/subjects.ts'
import { readSettings } from '#core/platform/config/read-settings.ts'
import { deriveInstallationKeys } from '#core/platform/crypto/installation-keys.ts'
import { openLog } from '#core/platform/log.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import type { Attempt } from '#core/webhook/request/attempt.ts'
import type { Claim } from '#core/webhook/delivery/claim.ts'
import type { AttemptResult, PostClient } from '#core/webhook/request/post-client.ts'
import { generateSecret } from '#core/webhook/secret.ts'
import { insertWebhook } from '#core/webhook/store.ts'
import type { TestDatabase } from '../servers/test-database.ts'

/** What deliveries need besides a client, with the default settings unless `environment` has others. */
export function deliveryCore(database: TestDatabase, environment: Record<string, string> = {}): StorelessCore {
  return {
    database: database.system,
    keys: deriveInstallationKeys(randomBytes(32)),
    settings: { ...readSettings(environment).settings, publicUrl: 'http://127.0.0.1' },
    log: openLog('silent', '/dev/null'),
  }
}

/** An enabled webhook, by default for all types. */
export async function aWebhook(
  { database, keys }: Pick<StorelessCore, 'database' | 'keys'>,
  orgId: OrgId,
  eventTypes: readonly EventType[] = EVENT_TYPES,
): Promise<WebhookId> {
  const id = newId(WebhookId)
  await insertWebhook(database, orgId, {
    id,
    url: `https://receiver.example/${id}`,
    description: '',
    eventTypes,
    ...generateSecret(keys, id),
  })
  return id
}

/** An envelope as events report it; it has no row. */
export function anEnvelope(overrides: Partial<ChangedEnvelope> = {}): ChangedEnvelope {
  const now = new Date()
  return { id: newId(EnvelopeId), title: 'Lease', status: 'SENT', createdAt: now, expiresAt: null, now, ...overrides }
}

const SIGNER = { id: randomUUID(), email: 'ada@example.test', name: 'Ada', signOrder: 1, status: 'SIGNED', signedAt: null }

/** Records events of these types about the envelope, in one transaction. */
export async function record(sql: Sql, orgId: OrgId, envelope: ChangedEnvelope, ...types: readonly EventType[]): Promise<void> {
  await recordEvents(
    sql,
    orgId,
    ...types.map((type) => ({ type, envelope, signer: type.startsWith('signer.') ? SIGNER : undefined })),
  )
}

/** The claim of a process of its own, with room for everything. */
export function aClaim(overrides: Partial<Claim> = {}): Claim {
  return { sender: randomUUID(), places: 1_000, slowPlaces: 1_000, prefetch: 0, webhookPrefetch: [], ...overrides }
}

type PostRequest = Parameters<PostClient['post']>[0]
export type Sent = Omit<PostRequest, 'sign'>

/** A client that records the requests and gives `answer`'s result. */
export function fakeClient(answer: (request: Sent) => AttemptResult | Promise<AttemptResult> = () => OK) {
  const sent: Sent[] = []
  const client: PostClient = {
    async post({ sign, ...request }) {
      const signed = { ...request, headers: { ...request.headers, ...sign?.() } }
      sent.push(signed)
      return answer(signed)
    },
    [Symbol.asyncDispose]: async () => {},
  }
  return { client, sent }
}

export const OK: AttemptResult = { responseStatus: 204, durationMs: 5 }
export const REJECTED: AttemptResult = { responseStatus: 500, failure: { code: 'HTTP_STATUS', detail: '500' }, durationMs: 5 }
export const TIMED_OUT: AttemptResult = { failure: { code: 'TIMEOUT' }, durationMs: 15_000 }

/** The attempt with this result, as a worker records it. */
export function anAttempt(result: AttemptResult): Attempt {
  return { at: new Date().toISOString(), ...result }
}
