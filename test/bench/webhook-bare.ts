// A process that posts signed bodies with undici alone, for comparison: keep-alive, HMAC, a number of requests at a time.
import { createHmac } from 'node:crypto'
import { Agent, request } from 'undici'

export interface BareLoad {
  url: string
  ca: string
  body: string
  requests: number
  inFlight: number
}

const WARM_UP = 500

process.once('message', (load: BareLoad) => void run(load))

/** Answers with the milliseconds of CPU time for each request. */
async function run({ url, ca, body, requests, inFlight }: BareLoad): Promise<void> {
  const agent = new Agent({ connect: { ca }, connections: inFlight, keepAliveTimeout: 60_000 })
  let left = 0
  const post = async (): Promise<void> => {
    while (left-- > 0) {
      const seconds = Math.floor(Date.now() / 1000)
      const digest = createHmac('sha256', 'whsec_bench').update(`${seconds}.`).update(body).digest('hex')
      const headers = {
        'content-type': 'application/json',
        'x-svc-event-id': 'bare',
        'x-svc-signature': `t=${seconds},v1=${digest}`,
      }
      const answer = await request(url, { method: 'POST', headers, body, dispatcher: agent })
      await answer.body.dump()
    }
  }
  const postAll = (count: number) => {
    left = count
    return Promise.all(Array.from({ length: inFlight }, post))
  }
  await postAll(WARM_UP)
  const before = process.cpuUsage()
  await postAll(requests)
  const { user, system } = process.cpuUsage(before)
  await agent.close()
  process.send?.((user + system) / 1000 / requests)
}
