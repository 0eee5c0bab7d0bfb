// Clients that send one request after the other to an address and note each that fails: on connections that are kept, and on new ones.
import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'

export interface SteadyRequests {
  /** Ends the clients; how many requests were answered, and how the others failed. */
  stop(): Promise<{ answered: number; failures: string[] }>
}

export interface Target {
  host: string
  port: number
  path: string
  headers: Readonly<Record<string, string>>
}

const PAUSE_MS = 20
const ANSWER_WITHIN_MS = 20_000

/** Starts as many clients of each kind. */
export function sendSteadily(target: Target, clientsOfEach = 3): SteadyRequests {
  const stop = new AbortController()
  const failures: string[] = []
  let answered = 0
  async function runClient(keepAlive: boolean): Promise<void> {
    const agent = new Agent({ keepAlive, maxSockets: 1 })
    while (!stop.signal.aborted) {
      const outcome = await send(target, agent)
      if (outcome === 200) answered++
      else failures.push(`${keepAlive ? 'kept' : 'new'} connection: ${outcome}`)
      await delay(PAUSE_MS)
    }
    agent.destroy()
  }
  const clients = Array.from({ length: clientsOfEach * 2 }, (_, index) => runClient(index % 2 === 0))
  return {
    async stop() {
      stop.abort()
      await Promise.all(clients)
      return { answered, failures }
    },
  }
}

/** The body of the answer. Throws when there is none, or an error status. */
export function postForm({ host, port, path, headers }: Target, form: URLSearchParams): Promise<string> {
  return new Promise((resolve, reject) => {
    const type = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const sent = request({ host, port, path, method: 'POST', headers: { ...headers, ...type } }, (response) => {
      text(response).then((body) => (response.statusCode === 200 ? resolve(body) : reject(new Error(body))), reject)
    })
    sent.once('error', reject)
    sent.end(form.toString())
  })
}

/** The status, or the error. */
function send({ host, port, path, headers }: Target, agent: Agent): Promise<number | string> {
  return new Promise((resolve) => {
    const sent = request({ host, port, path, headers, agent, timeout: ANSWER_WITHIN_MS }, (response) => {
      response.resume()
      response.once('end', () => resolve(response.statusCode ?? 0))
      response.once('error', (error) => resolve(error.message))
    })
    sent.once('timeout', () => sent.destroy(new Error('no answer in time')))
    sent.once('error', (error) => resolve(error.message))
    sent.end()
  })
}
