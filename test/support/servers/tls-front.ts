// HTTPS in front of an HTTP server, with a certificate of a private authority, as enterprises use them internally.
import { readFile, writeFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import path from 'node:path'
import { runProgram } from '../clients/run-program.ts'

export interface TlsFront {
  /** https://127.0.0.1:port */
  url: string
  /** The authority's PEM file. */
  caFile: string
  close(): Promise<void>
}

/** Writes everything to `folder`, which the caller removes. Keeps the Host header, because signatures cover it. */
export async function startTlsFront(target: string, folder: string): Promise<TlsFront> {
  const at = (name: string): string => path.join(folder, name)
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  await openssl(['req', '-x509', ...newKey, '-keyout', at('ca.key'), '-out', at('ca.pem'), '-subj', '/CN=Inner authority'])
  await openssl(['req', ...newKey, '-keyout', at('server.key'), '-out', at('server.csr'), '-subj', '/CN=store'])
  await writeFile(at('server.cnf'), 'subjectAltName = IP:127.0.0.1\n')
  const by = ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-extfile', at('server.cnf')]
  await openssl(['x509', '-req', '-in', at('server.csr'), ...by, '-out', at('server.pem')])
  const files = { key: await readFile(at('server.key')), cert: await readFile(at('server.pem')) }
  const server = createTlsServer(files, (request, response) => {
    const { method, headers, url } = request
    const onward = httpRequest(new URL(url ?? '/', target), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
      answer.pipe(response)
    })
    onward.once('error', () => response.destroy())
    request.pipe(onward)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  return {
    url: `https://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    caFile: at('ca.pem'),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function openssl(args: readonly string[]): Promise<void> {
  const { exitCode, stderr } = await runProgram('openssl', args)
  if (exitCode !== 0) throw new Error(`openssl ${args[0]} failed: ${stderr.trim().split('\n').at(-1)}`)
}
