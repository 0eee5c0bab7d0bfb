// An HTTP proxy in front of a Kubernetes API server that injects faults: statuses, delays, silence, cut and changed watches. It signs in as the administrator
// of the kubeconfig, unless the request has a token.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { Agent } from 'undici'

export interface SeenRequest {
  method: string
  /** With the query. */
  path: string
  /** A watch that continues at a version; not a streamed list. */
  isWatch: boolean
  /** `performance.now()`. */
  at: number
}

export type KubeFault =
  | { kind: 'status'; status: number; retryAfterSeconds?: number }
  /** Forwarded after this time. */
  | { kind: 'delay'; ms: number }
  /** Forwarded with this version, for example one that the server no longer has. */
  | { kind: 'version'; resourceVersion: string }
  /** Never answered. */
  | { kind: 'silence' }

export interface KubeProxy extends AsyncDisposable {
  /** A kubeconfig that leads to the proxy. */
  kubeconfig: string
  url: string
  seen: SeenRequest[]
  /** Called for each request. */
  fault: (request: SeenRequest) => KubeFault | undefined
  /** Open watches, without streamed lists. */
  readonly watches: number
  /** Ends the open watches as the server does. */
  closeWatches(): void
  /** Cuts the connections of the open watches. */
  resetWatches(): void
  /** From now on nothing of the open watches is forwarded; new ones work. */
  muteWatches(): void
  /** Sends this text in the open watches. */
  inject(text: string): void
}

interface Cluster {
  server: string
  'certificate-authority': string
}

interface AdminConfig {
  clusters: [{ cluster: Cluster }]
  users: [{ user: { 'client-certificate': string; 'client-key': string } }]
}

/** Starts a proxy for the API server of an administrator's kubeconfig. */
export async function startKubeProxy(adminKubeconfig: string): Promise<KubeProxy> {
  const { clusters, users } = JSON.parse(readFileSync(adminKubeconfig, 'utf8')) as AdminConfig
  const [{ cluster }] = clusters
  const [{ user }] = users
  const ca = readFileSync(cluster['certificate-authority'])
  const admin = { ca, cert: readFileSync(user['client-certificate']), key: readFileSync(user['client-key']) }
  const agents = { admin: newAgent(admin), token: newAgent({ ca }) }
  const muted = new WeakSet<ServerResponse>()
  const open = new Set<ServerResponse>()
  const forward = newForward(cluster.server, agents, open, muted)
  const server = createServer((request, response) => {
    // The client may have disconnected, or the server is away.
    answer(request, response).catch(() => response.destroy())
  })
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request
    const isWatch = url.includes('watch=true') && url.includes('resourceVersion=')
    const seen = { method, path: url, isWatch, at: performance.now() }
    proxy.seen.push(seen)
    const fault = proxy.fault(seen)
    switch (fault?.kind) {
      case 'silence':
        return
      case 'status':
        return sendStatus(response, fault)
      case 'delay':
        await delay(fault.ms)
        return forward(request, response, url, isWatch)
      case 'version':
        return forward(request, response, url.replace(/resourceVersion=\d+/, `resourceVersion=${fault.resourceVersion}`), isWatch)
      case undefined:
        return forward(request, response, url, isWatch)
    }
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const folder = await mkdtemp(path.join(tmpdir(), 'sealwright-kube-proxy-'))
  const kubeconfig = path.join(folder, 'kubeconfig')
  await writeFile(kubeconfig, JSON.stringify(configFor(url)))
  const proxy: KubeProxy = {
    kubeconfig,
    url,
    seen: [],
    fault: () => undefined,
    get watches() {
      return open.size
    },
    closeWatches: () => open.forEach((response) => response.end()),
    resetWatches: () => open.forEach((response) => response.destroy()),
    muteWatches: () => open.forEach((response) => muted.add(response)),
    inject: (text) => open.forEach((response) => response.write(text)),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await Promise.all([agents.admin.destroy(), agents.token.destroy()])
      await rm(folder, { recursive: true })
    },
  }
  return proxy
}

function newAgent(connect: { ca: Buffer; cert?: Buffer; key?: Buffer }): Agent {
  return new Agent({ connect, headersTimeout: 0, bodyTimeout: 0 })
}

function newForward(
  origin: string,
  agents: { admin: Agent; token: Agent },
  open: Set<ServerResponse>,
  muted: WeakSet<ServerResponse>,
) {
  return async (request: IncomingMessage, response: ServerResponse, target: string, isWatch: boolean): Promise<void> => {
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    const { method = 'GET', headers } = request
    const body = await buffer(request)
    const agent = headers.authorization ? agents.token : agents.admin
    const answer = await agent.request({
      origin,
      path: target,
      method,
      headers: forwardedHeaders(headers),
      body: body.length > 0 ? body : null,
      signal: gone.signal,
    })
    response.writeHead(answer.statusCode, { 'content-type': 'application/json' })
    response.flushHeaders()
    if (isWatch) {
      open.add(response)
      response.once('close', () => open.delete(response))
    }
    const isOver = () => muted.has(response) || response.writableEnded
    for await (const chunk of answer.body) if (!isOver()) response.write(chunk)
    if (!muted.has(response)) response.end()
  }
}

function forwardedHeaders({ authorization, 'content-type': contentType }: IncomingHttpHeaders): Record<string, string> {
  return { ...(authorization && { authorization }), ...(contentType && { 'content-type': contentType }) }
}

function sendStatus(response: ServerResponse, { status, retryAfterSeconds }: Extract<KubeFault, { kind: 'status' }>): void {
  const reasons: Record<number, string> = { 401: 'Unauthorized', 403: 'Forbidden', 410: 'Expired', 429: 'TooManyRequests' }
  const body = {
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    code: status,
    reason: reasons[status] ?? 'InternalError',
    message: 'injected',
  }
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
  })
  response.end(JSON.stringify(body))
}

function configFor(server: string) {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'proxy', cluster: { server } }],
    contexts: [{ name: 'proxy', context: { cluster: 'proxy' } }],
    'current-context': 'proxy',
  }
}
