/** Every memory view in a message between threads, at any depth. */
export function buffersIn(message: unknown): ArrayBufferView[] {
  if (ArrayBuffer.isView(message)) return [message]
  return typeof message === 'object' && message !== null ? Object.values(message).flatMap(buffersIn) : []
}
