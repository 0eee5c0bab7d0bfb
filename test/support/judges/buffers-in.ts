/** Every view of memory in a message between threads, however deep. */
export function buffersIn(message: unknown): ArrayBufferView[] {
  if (ArrayBuffer.isView(message)) return [message]
  return typeof message === 'object' && message !== null ? Object.values(message).flatMap(buffersIn) : []
}
