// Finds a free TCP port. Another process may take it before it is used, so the caller must be ready to retry.
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below the range from which systems take the ports of outgoing connections: such a port would often be taken before it is used. */
const [LOWEST, HIGHEST] = [15_000, 32_000]
const MOST_TRIES = 100

/** Resolves with a free port of this host, or with the wanted one. Rejects when that is taken or the host is not local. */
export async function freePort(host = '127.0.0.1', wanted = 0): Promise<number> {
  if (wanted > 0) return probe(host, wanted)
  for (let tries = 1; ; tries++) {
    try {
      return await probe(host, randomInt(LOWEST, HIGHEST))
    } catch (error) {
      const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
      if (!isTaken || tries === MOST_TRIES) throw error
    }
  }
}

function probe(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(port, host, () => server.close(() => resolve(port)))
  })
}
