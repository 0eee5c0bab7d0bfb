// The deliverers' process, Postgres, NATS and a receiver, for the benchmark of webhooks.
import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { insertEvents } from '#core/event/store.ts'
import { EnvelopeId, newId, WebhookId } from '#core/ids.ts'
import type { EventType } from '#core/messaging/subjects.ts'
import { generateSecret } from '#core/webhook/secret.ts'
import { insertWebhook } from '#core/webhook/store.ts'
import { freePort } from '../../hack/servers/free-port.ts'
import { newTlsCertificates, type TlsCertificates } from '../support/builders/tls-certificates.ts'
import { startPipelineSystem, type PipelineSystem, type TierProcess } from './pipeline-system.ts'
import type { Arrival } from './webhook-receiver.ts'

export interface WebhookSystem extends AsyncDisposable {
  system: PipelineSystem
  worker: TierProcess
  receiver: { url: string; take(): Promise<Arrival[]> }
  certificates: TlsCertificates
  /** Without a receiver. */
  closedUrl: string
}

/** About the size of a real event with two signers. */
export const BODY = JSON.stringify({ type: 'envelope.sent', data: { title: 'Lease', text: 'x'.repeat(600) } })

export async function startWebhookSystem(): Promise<WebhookSystem> {
  await using stack = new AsyncDisposableStack()
  const folder = await mkdtemp(path.join(tmpdir(), 'sealwright-bench-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const certificates = await newTlsCertificates(['localhost'])
  const caFile = path.join(folder, 'ca.pem')
  await writeFile(caFile, certificates.ca)
  const system = stack.use(
    await startPipelineSystem({
      SEALWRIGHT_WEBHOOK_CA_FILE: caFile,
      SEALWRIGHT_WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8,::1/128',
    }),
  )
  const child = fork(new URL('webhook-receiver.ts', import.meta.url))
  stack.defer(() => void child.kill())
  const { port }: { port: number } = await ask(child, { tls: certificates.valid })
  await system.start('relay', ['workers/main.ts', 'relay'])
  const worker = await system.start('deliverer', ['workers/main.ts', 'deliver'])
  const running = stack.move()
  return {
    system,
    worker,
    certificates,
    receiver: { url: `https://localhost:${port}`, take: () => ask(child, 'take') },
    closedUrl: `https://localhost:${await freePort()}/refused`,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

async function ask<Answer>(child: ChildProcess, message: object | string): Promise<Answer> {
  child.send(message)
  const [answer]: Answer[] = await once(child, 'message')
  return answer!
}

/** The bare client's milliseconds of CPU time for each request. */
export async function bareCpuMs({ receiver, certificates }: WebhookSystem, requests: number): Promise<number> {
  const child = fork(new URL('webhook-bare.ts', import.meta.url))
  const cpuMs: number = await ask(child, { url: `${receiver.url}/bare`, ca: certificates.ca, body: BODY, requests, inFlight: 16 })
  child.kill()
  await receiver.take()
  return cpuMs
}

export async function addWebhook(
  { system: { owner, organisation, keys } }: WebhookSystem,
  url: string,
  type: EventType,
): Promise<void> {
  const id = newId(WebhookId)
  await insertWebhook(owner, organisation.orgId, { id, url, description: '', eventTypes: [type], ...generateSecret(keys, id) })
}

const STATEMENT_EVENTS = 100

/** Commits events of different envelopes, a hundred in a transaction. */
export async function commitEvents(
  { system: { owner, organisation } }: WebhookSystem,
  count: number,
  type: EventType,
): Promise<void> {
  const events = Array.from({ length: count }, () => {
    return { id: randomUUID(), envelopeId: newId(EnvelopeId), type, body: BODY, buildError: null, isHeld: false }
  })
  // As many as a sweep inserts at once: the plan of a statement with thousands takes its time squared.
  for (let from = 0; from < count; from += STATEMENT_EVENTS)
    await insertEvents(owner, organisation.orgId, events.slice(from, from + STATEMENT_EVENTS))
}

/** Waits until so few deliveries to webhooks with this text in their URL are left. */
export async function untilLeft({ system: { owner } }: WebhookSystem, urlPart: string, atMost = 0): Promise<void> {
  for (;;) {
    const [row] = await owner<{ isMore: boolean }[]>`
      select exists (
        select from delivery_jobs j join webhooks w on w.id = j.webhook_id where position(${urlPart} in w.url) > 0 offset ${atMost}) as is_more`
    if (!row!.isMore) return
    await delay(100)
  }
}
