// One envelope with two signers, processed by a client that repeats every step until it is acknowledged, whatever dies meanwhile.
import { randomUUID } from 'node:crypto'
import { type ApiClient, apiClient } from './api-client.ts'
import { signer } from './signer.ts'
import type { DevJson } from '../servers/running-service.ts'

/** What the client knows from acknowledgements. */
export interface Progress {
  signers: { name: string; email: string }[]
  /** Makes the creation idempotent, because its response may be lost. */
  key: string
  documentId?: string
  envelopeId?: string
  sent?: boolean
  signed: string[]
}

/** A client at the start; its signers have unique addresses. */
export function newProgress(id: number): Progress {
  const signers = ['ada', 'ben'].map((name) => ({ name, email: `${name}-${id}@example.test` }))
  return { signers, key: randomUUID(), signed: [] }
}

/** Continues from `progress` to the end, or throws when the service stops answering. Acknowledged steps are not repeated. */
export async function walk(dev: DevJson, pdf: Buffer, progress: Progress): Promise<void> {
  const client = await apiClient(dev.baseUrl, dev)
  progress.documentId ??= (await must(() => client.upload('/api/v1/documents', pdf), 201)).id
  progress.envelopeId ??= await create(client, progress)
  if (!progress.sent) {
    await send(client, progress.envelopeId)
    progress.sent = true
  }
  for (const { email } of progress.signers) {
    if (progress.signed.includes(email)) continue
    await sign(dev, await linkOf(dev, email), client, progress.envelopeId, email)
    progress.signed.push(email)
  }
}

async function create(client: ApiClient, { signers, documentId, key }: Progress): Promise<string> {
  const body = JSON.stringify({ title: 'Crash walk', signers, documentIds: [documentId] })
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': key }
  return (await must(() => client.send('POST', '/api/v1/envelopes', { body, headers }), 201)).id
}

async function send(client: ApiClient, envelopeId: string): Promise<void> {
  const { status, body } = await client.post(`/api/v1/envelopes/${envelopeId}/send`)
  const sentBefore = status === 409 && body.code === 'ENVELOPE_ALREADY_SENT'
  if (status !== 200 && !sentBefore) throw new Error(`send: ${status} ${JSON.stringify(body)}`)
}

async function sign(dev: DevJson, token: string, client: ApiClient, envelopeId: string, email: string): Promise<void> {
  const { body: envelope } = await client.get(`/api/v1/envelopes/${envelopeId}`)
  const own = envelope.signers.find((each: { email: string }) => each.email === email)
  if (own.status === 'SIGNED') return
  const person = signer(dev.baseUrl, token)
  await must(() => person.viewOpened(), 204)
  await must(() => person.sign(), 200)
}

/** The signing token from the email, because the response with it may have been lost. */
export async function linkOf(dev: DevJson, email: string): Promise<string> {
  for (let tries = 0; tries < 300; tries++) {
    const oldest = (await mailsTo(dev, email)).at(-1)
    if (oldest) return tokenIn(oldest.text)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`no link was mailed to ${email}`)
}

/** The token of an email's link. */
export function tokenIn(text: string): string {
  const token = /\/sign\/([A-Za-z0-9_-]{43})/.exec(text)?.[1]
  if (!token) throw new Error('The mail has no link.')
  return token
}

/** Newest first. */
export async function mailsTo(dev: DevJson, email: string): Promise<{ id: string; to: string; subject: string; text: string }[]> {
  const response = await fetch(dev.mailboxUrl, { headers: { Accept: 'application/json' } })
  const mails: { id: string; to: string; subject: string; text: string }[] = JSON.parse(await response.text())
  return mails.filter(({ to }) => to === email)
}

/** 503 means that nothing was done, so the client may repeat the request. */
async function must(step: () => Promise<{ status: number; body: { id: string } }>, expected: number): Promise<{ id: string }> {
  for (let tries = 0; ; tries++) {
    const { status, body } = await step()
    if (status === expected) return body
    if (status !== 503 || tries === 3) throw new Error(`expected ${expected}, got ${status} ${JSON.stringify(body)}`)
  }
}
