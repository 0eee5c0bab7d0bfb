// A Lease in memory with the preconditions of the API server. Several clients share it, and each can be cut off.
import type { Lease } from '../../controller/runtime/lease.ts'
import type { KubeClient, KubeRequest } from '../../core/platform/kubernetes/kube-client.ts'
import { KubeError, KubeUnreachable } from '../../core/platform/kubernetes/kube-error.ts'

export class FakeLeaseServer {
  lease: Lease | undefined
  #version = 0
  /** Every write, by the holder that it names. */
  readonly writes: { by: string; method: string; spec: Lease['spec'] }[] = []

  /** A client of this server. */
  client(name: string): FakeLeaseClient {
    return new FakeLeaseClient(this, name)
  }

  handle(name: string, { method, body }: KubeRequest): Lease {
    if (method === 'GET') return structuredClone(this.#existing())
    const given = body as Lease
    if (method === 'POST' && this.lease) throw new KubeError(409, 'AlreadyExists', 'the Lease exists')
    const isStale = method === 'PUT' && this.#existing().metadata.resourceVersion !== given.metadata.resourceVersion
    if (isStale) throw new KubeError(409, 'Conflict', 'the Lease has been modified')
    this.writes.push({ by: name, method, spec: given.spec })
    this.store(given)
    return structuredClone(this.#existing())
  }

  /** A write that is not ours. */
  store(lease: Lease): void {
    this.#version += 1
    this.lease = structuredClone({ ...lease, metadata: { ...lease.metadata, resourceVersion: String(this.#version) } })
  }

  remove(): void {
    this.lease = undefined
  }

  edit(change: (lease: Lease) => void): void {
    const lease = structuredClone(this.#existing())
    change(lease)
    this.store(lease)
  }

  #existing(): Lease {
    if (!this.lease) throw new KubeError(404, 'NotFound', 'no Lease')
    return this.lease
  }
}

class FakeLeaseClient implements KubeClient {
  readonly #server: FakeLeaseServer
  readonly #name: string
  /** `cut`: fails at once; `hanging`: answers only when this ends. */
  state: 'working' | 'cut' | 'hanging' = 'working'
  #resume = Promise.withResolvers<void>()
  requests = 0

  constructor(server: FakeLeaseServer, name: string) {
    this.#server = server
    this.#name = name
  }

  async request<T>(request: KubeRequest): Promise<T> {
    this.requests += 1
    if (this.state === 'cut') throw new KubeUnreachable('connection', 'connection refused')
    if (this.state === 'hanging') await this.#resume.promise
    return this.#server.handle(this.#name, request) as T
  }

  resume(): void {
    this.state = 'working'
    this.#resume.resolve()
    this.#resume = Promise.withResolvers()
  }

  watch(): never {
    throw new Error('a Lease is not watched')
  }
}

export type { FakeLeaseClient }
