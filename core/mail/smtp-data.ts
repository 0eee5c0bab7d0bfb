// How far a mail came: whether the server had taken its sender and receiver and asked for its text (354, RFC 5321 4.1.1.4).
import type { createTransport } from 'nodemailer'
import type { Readable } from 'node:stream'

/** From now on tells of a mail, by the signal with which it is sent, whether the server has asked for its text: no connection reads that before. */
export function watchData(transport: ReturnType<typeof createTransport>): (signal: AbortSignal) => boolean {
  const texts = new WeakMap<AbortSignal, Readable>()
  transport.use('stream', ({ message, data: { signal } }, done) => {
    message.processFunc((text) => {
      // Anew when the mail goes on over another connection.
      if (signal) texts.set(signal, text)
      return text
    })
    done()
  })
  return (signal) => texts.get(signal)?.readableDidRead === true
}
