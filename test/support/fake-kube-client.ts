// A Kubernetes client whose watches and answers the test decides.
import type { KubeClient, KubeRequest, WatchEvent } from '../../core/platform/kubernetes/kube-client.ts'

type Answer = (request: KubeRequest) => unknown

export class FakeKubeClient implements KubeClient {
  readonly requests: KubeRequest[] = []
  readonly watches: FakeWatch[] = []
  /** Answers requests; a thrown error is the answer. */
  answer: Answer = () => {
    throw new Error('no request is expected')
  }
  /** Refuses watches with this error, while it returns one. */
  refuse: (request: Pick<KubeRequest, 'query'>) => Error | undefined = () => undefined

  async request<T>(request: KubeRequest): Promise<T> {
    request.signal?.throwIfAborted()
    this.requests.push(request)
    return (await this.answer(request)) as T
  }

  async *watch(request: Pick<KubeRequest, 'path' | 'query' | 'signal'>, onBytes: () => void): AsyncIterable<WatchEvent> {
    const watch = new FakeWatch(request, onBytes)
    this.watches.push(watch)
    const refused = this.refuse(request)
    if (refused) throw refused
    yield* watch.events()
  }

  /** The latest watch. */
  get current(): FakeWatch {
    return this.watches.at(-1)!
  }
}

export class FakeWatch {
  readonly query: NonNullable<KubeRequest['query']>
  readonly #signal: AbortSignal | undefined
  readonly #onBytes: () => void
  readonly #steps: (WatchEvent | Error | 'close')[] = []
  #wake = Promise.withResolvers<void>()

  constructor({ query, signal }: Pick<KubeRequest, 'query' | 'signal'>, onBytes: () => void) {
    this.query = query ?? {}
    this.#signal = signal
    this.#onBytes = onBytes
    signal?.addEventListener('abort', () => this.#wake.resolve())
  }

  get isOpen(): boolean {
    return this.#signal?.aborted !== true
  }

  send(...events: WatchEvent[]): void {
    this.#step(...events)
  }

  close(): void {
    this.#step('close')
  }

  fail(error: Error): void {
    this.#step(error)
  }

  async *events(): AsyncGenerator<WatchEvent> {
    for (;;) {
      this.#signal?.throwIfAborted()
      const step = this.#steps.shift()
      if (step === 'close') return
      if (step instanceof Error) throw step
      if (step) {
        this.#onBytes()
        yield step
      } else {
        await this.#wake.promise
        this.#wake = Promise.withResolvers()
      }
    }
  }

  #step(...steps: (WatchEvent | Error | 'close')[]): void {
    this.#steps.push(...steps)
    this.#wake.resolve()
  }
}
