// The receiving side of the demo: a webhook to the receiver of the embedded run, created through the panel's API.
import { setTimeout as delay } from 'node:timers/promises'
import { EVENT_TYPES, type EventType } from '#core/messaging/subjects.ts'
import { z } from 'zod'
import { jsonBody, request } from '../../api/cli/check/client.ts'

const Session = z.object({ csrfToken: z.string() })
const Webhook = z.object({ id: z.string(), url: z.string(), enabled: z.boolean() })
const Received = z.object({
  endpointUrl: z.string(),
  requests: z.array(z.object({ body: z.string(), headers: z.record(z.string(), z.string()), signatureValid: z.boolean() })),
})
const Event = z.object({ type: z.string(), data: z.object({ envelope: z.object({ id: z.string() }) }) })

const LAST_EVENT = 'envelope.completed' satisfies EventType
const EVERY_MS = 100
const GIVES_UP_AFTER_MS = 30_000

interface Addresses {
  settingsUrl: string
  adminEmail: string
  adminPassword: string
  webhooksUrl: string
}

export class DemoWebhook {
  readonly #webhooksUrl: string

  private constructor(webhooksUrl: string) {
    this.#webhooksUrl = webhooksUrl
  }

  /** Creates the webhook, or uses that of an earlier demo. */
  static async open({ settingsUrl, adminEmail, adminPassword, webhooksUrl }: Addresses): Promise<DemoWebhook> {
    const { endpointUrl } = await request(Received, webhooksUrl)
    const api = `${settingsUrl}/api`
    const headers = await signIn(api, { email: adminEmail, password: adminPassword })
    const change = (body: object, method = 'POST') => ({ ...jsonBody(body), method, headers })
    const url = `${endpointUrl}demo`
    const earlier = (await request(z.array(Webhook), `${api}/webhooks`, { headers })).find((each) => each.url === url)
    if (!earlier) await request(Webhook, `${api}/webhooks`, change({ url, description: 'npm run demo', eventTypes: EVENT_TYPES }))
    else if (!earlier.enabled) await request(Webhook, `${api}/webhooks/${earlier.id}`, change({ enabled: true }, 'PATCH'))
    console.log(`${earlier ? 'uses' : 'created'} the webhook ${url}`)
    return new DemoWebhook(webhooksUrl)
  }

  /** Prints the events of the envelope as they arrive, until the last one. Does not throw: without events there is a sealed PDF to show. */
  async printEvents(envelopeId: string): Promise<void> {
    const seen = new Set<string>()
    const endsAt = performance.now() + GIVES_UP_AFTER_MS
    try {
      while (performance.now() < endsAt) {
        for (const { id, type, signatureValid } of await this.#eventsOf(envelopeId)) {
          if (seen.has(id)) continue
          seen.add(id)
          console.log(`  event ${type}, signature ${signatureValid ? 'valid' : 'NOT VALID'}`)
          if (type === LAST_EVENT) return
        }
        await delay(EVERY_MS)
      }
      console.log(`The event ${LAST_EVENT} did not arrive. See ${this.#webhooksUrl}`)
    } catch (error) {
      console.log(`The events cannot be read: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  /** Oldest first. */
  async #eventsOf(envelopeId: string) {
    const { requests } = await request(Received, this.#webhooksUrl)
    return requests.toReversed().flatMap(({ body, headers, signatureValid }) => {
      const event = Event.safeParse(parseJson(body)).data
      return event?.data.envelope.id === envelopeId
        ? [{ id: headers['x-svc-event-id'] ?? '', type: event.type, signatureValid }]
        : []
    })
  }
}

/** The headers of an admin's requests. */
async function signIn(api: string, credentials: { email: string; password: string }): Promise<Record<string, string>> {
  const response = await fetch(`${api}/session`, jsonBody(credentials))
  if (!response.ok) throw new Error(`The admin cannot sign in: ${response.status} ${await response.text()}`)
  const { csrfToken } = Session.parse(await response.json())
  const cookie = response.headers.getSetCookie().map((each) => each.split(';', 1)[0])
  return { Cookie: cookie.join('; '), 'X-CSRF-Token': csrfToken, 'Content-Type': 'application/json' }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // another program posted it
  }
}
