// In a closed network: four attempts to leave it, each of another kind. Prints how many the kernel has counted after each.
import { createSocket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { connect } from 'node:net'
import { countUnreachable } from '../../support/servers/closed-network.ts'

async function dial(host: string): Promise<void> {
  await once(
    connect(443, host).once('connect', () => {}),
    'close',
  ).catch(() => {})
}

async function send(host: string): Promise<void> {
  const socket = createSocket('udp4')
  await new Promise((resolve) => socket.send('ping', 4318, host, resolve))
  socket.close()
}

const attempts = [
  () => dial('203.0.113.1'),
  () => dial('2001:db8::1'),
  () => send('203.0.113.1'),
  () => lookup('example.com').catch(() => {}),
]
const counts = [await countUnreachable()]
for (const attempt of attempts) {
  await attempt()
  counts.push(await countUnreachable())
}
console.log(JSON.stringify(counts))
