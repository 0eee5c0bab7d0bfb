// A signer as a client of the service: code, view, sign, through the same endpoints as the page.
import { z } from 'zod'
import { type ServiceClient, jsonBody, request } from './client.ts'

const View = z.object({ requiresOtp: z.boolean() })
const Challenge = z.object({ challengeId: z.string() })
const Verdict = z.object({ verified: z.boolean() })
const Signed = z.object({ completed: z.boolean() })

export class Ceremony {
  readonly #client: ServiceClient
  readonly #url: string
  readonly #email: string

  constructor(client: ServiceClient, signingUrl: string, email: string) {
    this.#client = client
    this.#url = signingUrl.replace('/sign/', '/api/v1/sign/')
    this.#email = email
  }

  /** Runs the whole ceremony; `signatureImage` is a base64 PNG. */
  async run(signatureImage: string): Promise<void> {
    const { requiresOtp } = await request(View, this.#url)
    if (requiresOtp) await this.#enterCode()
    await request(z.undefined(), `${this.#url}/view-opened`, { method: 'POST' })
    await request(z.undefined(), `${this.#url}/view-closed`, jsonBody({ durationMs: 4_000 }))
    await request(Signed, `${this.#url}/sign`, jsonBody({ signatureImage }))
  }

  async #enterCode(): Promise<void> {
    const known = await this.#client.mailsTo(this.#email)
    const { challengeId } = await request(Challenge, `${this.#url}/request-otp`, { method: 'POST' })
    const code = await this.#client.mailedCode(this.#email, known)
    const { verified } = await request(Verdict, `${this.#url}/verify-otp`, jsonBody({ challengeId, code }))
    if (!verified) throw new Error('The emailed code was not accepted.')
  }
}
