// A post client in front of a scripted receiver. The address check runs as in the product; only the last step, the connection to a vetted public
// address, goes to the receiver.
import { connect, type Socket } from 'node:net'
import { openPostClient, type PostClientOptions } from '#core/webhook/request/post-client.ts'
import { newTlsCertificates } from '../../../../support/builders/tls-certificates.ts'

export const HOST = 'hook.example.com'
export const ADDRESSES = ['93.184.215.14', '93.184.215.15'] as const
export const certificates = await newTlsCertificates([HOST, '93.184.215.14'])

/** Short enough for tests; long enough for a busy machine to connect. */
const LIMITS = { timeoutMs: 1_000, connectTimeoutMs: 800 }

interface Rig extends AsyncDisposable {
  /** The addresses that were dialled, in order. */
  dialled: string[]
  post(options?: {
    url?: string
    body?: string
    headers?: Record<string, string>
    sign?: () => Record<string, string>
    signal?: AbortSignal
  }): Promise<unknown>
}

/** `dial` overrides the connection for an address; without it the receiver's port is dialled. */
export function newRig(
  receiver: { port: number },
  { dial, ...options }: Partial<Omit<PostClientOptions, 'dial'>> & { dial?: (address: string) => Socket | undefined } = {},
): Rig {
  const dialled: string[] = []
  const client = openPostClient({
    rules: { allowed: [], denied: [] },
    lookup: async () => [ADDRESSES[0]],
    ca: certificates.ca,
    ...LIMITS,
    ...options,
    dial(address) {
      dialled.push(address)
      return dial?.(address) ?? connect(receiver.port, '127.0.0.1')
    },
  })
  return {
    dialled,
    async post({
      url = `https://${HOST}/in?x=1`,
      body = '{"id":1}',
      headers = { 'content-type': 'application/json' },
      sign,
      signal,
    } = {}) {
      const request = { url, headers, body: Buffer.from(body), ...(sign && { sign }), ...(signal && { signal }) }
      const { durationMs, ...result } = await client.post(request)
      if (!(durationMs >= 0 && durationMs < 5_000)) throw new Error(`the attempt took ${durationMs} ms`)
      return result
    },
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  }
}
