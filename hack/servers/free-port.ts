// A TCP port that nobody listens on. Another process may take it before it is used: whoever binds it must be ready to ask again.
import { createServer } from 'node:net'

/** Resolves with the number of any free port of this host, or of the wanted one. Rejects when that is taken, or the host is not of this machine. */
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
