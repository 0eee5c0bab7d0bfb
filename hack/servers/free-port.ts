// A TCP port of 127.0.0.1 that nobody listens on. Another process may take it before it is used: whoever binds it must be ready to ask again.
import { createServer } from 'node:net'

/** Resolves with the port's number. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}
