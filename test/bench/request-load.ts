// A thread that sends requests, so that the serving thread's CPU time is the server's alone.
import { Agent, request } from 'node:http'
import { parentPort } from 'node:worker_threads'

export interface Load {
  url: string
  requests: number
  inFlight: number
}

const port = parentPort
if (!port) throw new Error('This is a thread of a benchmark.')
port.on('message', (load: Load) => void send(load).then(() => port.postMessage('done')))

async function send({ url, requests, inFlight }: Load): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: inFlight })
  let index = 0
  const work = async () => {
    while (index < requests) await get(`${url}?${index++}`, agent)
  }
  await Promise.all(Array.from({ length: inFlight }, work))
  agent.destroy()
}

function get(url: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    request(url, { agent }, (response) => {
      response.resume().once('end', () => (response.statusCode === 200 ? resolve() : reject(new Error(`${response.statusCode}`))))
    })
      .once('error', reject)
      .end()
  })
}
