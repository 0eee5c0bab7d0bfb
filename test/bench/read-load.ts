// A process that reads: a benchmark starts it with address, rate and duration, and receives the latencies.
import { Agent, request } from 'node:http'
import { arrive } from './arrivals.ts'

export interface ReadLoad {
  url: string
  token: string
  envelopeIds: string[]
  perSecond: number
  seconds: number
}

process.once('message', (load: ReadLoad) => void run(load))

async function run({ url, token, envelopeIds, perSecond, seconds }: ReadLoad): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const headers = { Authorization: `Bearer ${token}` }
  const pathOf = (index: number) => {
    if (index % 10 === 8) return '/api/v1/envelopes?status=COMPLETED&labels=department%3Dsales'
    if (index % 10 === 9) return '/api/v1/envelopes/stats'
    return `/api/v1/envelopes/${envelopeIds[index % envelopeIds.length]}`
  }
  const work = (index: number) =>
    new Promise<void>((resolve, reject) => {
      request(url + pathOf(index), { agent, headers }, (response) => {
        response.resume().once('end', () => {
          if (response.statusCode === 200) resolve()
          else reject(new Error(`answered ${response.statusCode}`))
        })
      })
        .once('error', reject)
        .end()
    })
  const arrivals = await arrive({ perSecond, seconds, work })
  agent.destroy()
  process.send?.(arrivals)
}
