// An organisation's system as a client of the service: token, upload, create, send, download, all with plain fetch.
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'

const Id = z.object({ id: z.string() })
const Sent = z.object({ signingTokens: z.array(z.object({ name: z.string(), email: z.string(), signingUrl: z.string() })) })
const Documents = z.array(z.object({ signedUrl: z.string().nullable() }))
const Mails = z.array(z.object({ id: z.string(), to: z.string(), subject: z.string(), text: z.string() }))
const Token = z.object({ access_token: z.string() })

interface Addresses {
  baseUrl: string
  tokenUrl: string
  clientId: string
  clientSecret: string
  /** Only where emails are kept. */
  mailboxUrl?: string
}

export class ServiceClient {
  readonly #addresses: Addresses
  readonly #token: string

  private constructor(addresses: Addresses, token: string) {
    this.#addresses = addresses
    this.#token = token
  }

  static async open(addresses: Addresses): Promise<ServiceClient> {
    const { tokenUrl, clientId, clientSecret } = addresses
    const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret })
    const { access_token } = await request(Token, tokenUrl, { method: 'POST', body: form })
    return new ServiceClient(addresses, access_token)
  }

  async upload(pdf: Buffer, name: string): Promise<string> {
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(pdf)], { type: 'application/pdf' }), name)
    return (await this.#call(Id, '/api/v1/documents', { method: 'POST', body: form })).id
  }

  async createEnvelope(envelope: object): Promise<string> {
    return (await this.#call(Id, '/api/v1/envelopes', jsonBody(envelope))).id
  }

  async send(envelopeId: string): Promise<z.infer<typeof Sent>['signingTokens']> {
    return (await this.#call(Sent, `/api/v1/envelopes/${envelopeId}/send`, { method: 'POST' })).signingTokens
  }

  /** The emails to this address, newest first. */
  async mailsTo(address: string): Promise<z.infer<typeof Mails>> {
    const mails = await request(Mails, this.#addresses.mailboxUrl ?? '', { headers: { Accept: 'application/json' } })
    return mails.filter(({ to }) => to === address)
  }

  /** The code in the first email to this address that is not among `known`. */
  async mailedCode(address: string, known: z.infer<typeof Mails>): Promise<string> {
    const before = new Set(known.map(({ id }) => id))
    for (let tries = 0; tries < 50; tries++) {
      const codes = (await this.mailsTo(address)).flatMap(({ id, text }) =>
        before.has(id) ? [] : (/\b\d{6}\b/.exec(text)?.[0] ?? []),
      )
      if (codes[0]) return codes[0]
      await delay(100)
    }
    throw new Error(`No code was emailed to ${address}.`)
  }

  async downloadSealed(envelopeId: string): Promise<Buffer> {
    for (let tries = 0; tries < 100; tries++) {
      const [document] = await this.#call(Documents, `/api/v1/envelopes/${envelopeId}/documents`)
      if (document?.signedUrl) return Buffer.from(await (await reach(document.signedUrl)).arrayBuffer())
      await delay(100)
    }
    throw new Error('The copy was not sealed within ten seconds. Run: npx sealwright seal status')
  }

  #call<Shape extends z.ZodType>(shape: Shape, path: string, init: RequestInit = {}): Promise<z.output<Shape>> {
    return request(shape, this.#addresses.baseUrl + path, {
      ...init,
      headers: authorised(init, this.#token),
    })
  }
}

/** Request options for a JSON body. */
export function jsonBody(body: object): RequestInit {
  return { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
}

/** Any response. Throws one sentence with the origin, not the path, which may be a secret, when there is none. */
export async function reach(url: string, init: RequestInit = {}): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    const reason = cause instanceof Error ? cause.message || ('code' in cause && String(cause.code)) : String(cause)
    throw new Error(`${new URL(url).origin} cannot be reached: ${reason}`, { cause: error })
  }
}

/** The parsed response. Throws with the status and the service's message otherwise. */
export async function request<Shape extends z.ZodType>(
  shape: Shape,
  url: string,
  init: RequestInit = {},
): Promise<z.output<Shape>> {
  const response = await reach(url, init)
  const text = await response.text()
  if (!response.ok)
    throw new Error(
      `${init.method ?? 'GET'} ${new URL(url).pathname.replace(/(\/sign\/)[^/]+/, '$1***')}: ${response.status} ${text}`,
    )
  return shape.parse(text ? JSON.parse(text) : undefined)
}

function authorised({ headers }: RequestInit, token: string): Headers {
  const all = new Headers(headers)
  all.set('Authorization', `Bearer ${token}`)
  return all
}
