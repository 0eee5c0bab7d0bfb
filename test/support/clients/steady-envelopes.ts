// Clients that take one envelope after the other from upload to the last signature, repeat nothing, and note every request that fails.
import { setTimeout as delay } from 'node:timers/promises'
import { type Answer, type ApiClient, apiClient } from './api-client.ts'
import { newProgress, type Progress } from './crash-walk.ts'
import { signer } from './signer.ts'

export interface SteadyEnvelopes {
  /** Ends the clients after their current envelope. `signed`: the envelopes whose every request succeeded. */
  stop(): Promise<{ signed: Progress[]; failures: string[] }>
}

interface Service {
  baseUrl: string
  clientId: string
  clientSecret: string
}

const PAUSE_MS = 50
/** Tokens expire after 300 s. */
const TOKEN_FOR_MS = 200_000

let envelopes = 0

/** Starts as many clients. */
export function signSteadily(service: Service, pdf: Buffer, clients = 3): SteadyEnvelopes {
  const stop = new AbortController()
  const signed: Progress[] = []
  const failures: string[] = []
  async function runClient(): Promise<void> {
    let client: ApiClient | undefined
    let opened = 0
    while (!stop.signal.aborted) {
      const progress = newProgress(process.pid * 10_000 + envelopes++)
      try {
        if (!client || performance.now() - opened > TOKEN_FOR_MS) {
          opened = performance.now()
          client = await apiClient(service.baseUrl, service)
        }
        await signOne(service, client, pdf, progress)
        signed.push(progress)
      } catch (error) {
        failures.push(reasonOf(error))
      }
      await delay(PAUSE_MS)
    }
  }
  const running = Array.from({ length: clients }, runClient)
  return {
    async stop() {
      stop.abort()
      await Promise.all(running)
      return { signed, failures }
    },
  }
}

async function signOne(service: Service, client: ApiClient, pdf: Buffer, progress: Progress): Promise<void> {
  const document = answered('upload', await client.upload('/api/v1/documents', pdf), 201)
  const draft = { title: 'Steady envelope', signers: progress.signers, documentIds: [document.id] }
  progress.envelopeId = answered('create', await client.post('/api/v1/envelopes', draft), 201).id
  const sent = answered('send', await client.post(`/api/v1/envelopes/${progress.envelopeId}/send`), 200)
  for (const { token, email } of sent.signingTokens) {
    const person = signer(service.baseUrl, token)
    answered('view', await person.viewOpened(), 204)
    answered('sign', await person.sign(), 200)
    progress.signed.push(email)
  }
}

function answered(step: string, { status, body }: Answer, expected: number) {
  if (status !== expected) throw new Error(`${step}: ${status} ${JSON.stringify(body)}`)
  return body
}

/** A refused connection is the cause of a failed fetch. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}
