// The size of libuv's thread pool, which resolves names, reads files and derives keys.

/** Half of the threads resolve names: more at a time than an organisation has deliveries in flight, so that its slow names delay no other lookup. */
const THREADS = 64

/** Takes effect only before the first use of the pool. A size from outside is kept. */
export function widenThreadPool(): void {
  // oxlint-disable-next-line node/no-process-env -- libuv reads it there
  process.env['UV_THREADPOOL_SIZE'] ??= String(THREADS)
}
