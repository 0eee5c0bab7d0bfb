// Finds a free TCP port. Another process may take it before it is used, so the caller must be ready to retry.
import { createServer } from 'node:net'

/** Resolves with a free port of this host, or with the wanted one. Rejects when that is taken or the host is not local. */
export function freePort(host = '127.0.0.1', wanted = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(wanted, host, () => {
      const address = server.address()
      const port = typeof address === 'object' && address ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}
