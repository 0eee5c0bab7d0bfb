// A proxy in front of Postgres that forwards each answer in a separate turn, as a network may: pipelined statements are then not answered
// together.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { pipeline } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'

export interface SplitAnswersProxy extends AsyncDisposable {
  /** The same database through the proxy. */
  url: string
}

const BETWEEN_MS = 5
/** ReadyForQuery: the last message of an answer. */
const READY = 'Z'.charCodeAt(0)

/** Listens in front of the server of a database URL. */
export async function startSplitAnswersProxy(databaseUrl: string): Promise<SplitAnswersProxy> {
  const url = new URL(databaseUrl)
  const [host, target] = [url.hostname, Number(url.port)]
  const server = createServer((client) => {
    const backend = connect(target, host)
    // A client that disconnects ends both directions; that is not an error.
    pipeline(client, backend, () => {})
    pipeline(backend, oneByOne, client, () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a TCP server's address
  const { port } = server.address() as AddressInfo
  url.host = `127.0.0.1:${port}`
  return {
    url: url.href,
    async [Symbol.asyncDispose]() {
      server.close()
      await once(server, 'close')
    },
  }
}

async function* oneByOne(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = Buffer.alloc(0)
  for await (const chunk of chunks) {
    bytes = Buffer.concat([bytes, chunk])
    for (let end = endOfAnswer(bytes); end > 0; end = endOfAnswer(bytes)) {
      yield bytes.subarray(0, end)
      bytes = bytes.subarray(end)
      await delay(BETWEEN_MS)
    }
  }
}

/** The length of the first answer, or of its whole messages so far: a type byte, then the length, which includes itself. */
function endOfAnswer(bytes: Buffer): number {
  let end = 0
  while (bytes.length >= end + 5) {
    const next = end + 1 + bytes.readInt32BE(end + 1)
    if (bytes.length < next) break
    const type = bytes[end]
    end = next
    if (type === READY) break
  }
  return end
}
