// How far an email came: whether the server had accepted sender and receiver and asked for the text (354, RFC 5321 4.1.1.4).
import type { createTransport } from 'nodemailer'
import type { Readable } from 'node:stream'

/** Returns a function that tells, by the signal of a sending, whether the server has asked for the email's text: no connection reads the signal
 *  before that. */
export function watchData(transport: ReturnType<typeof createTransport>): (signal: AbortSignal) => boolean {
  const texts = new WeakMap<AbortSignal, Readable>()
  transport.use('stream', ({ message, data: { signal } }, done) => {
    message.processFunc((text) => {
      // Set again when the email is retried over another connection.
      if (signal) texts.set(signal, text)
      return text
    })
    done()
  })
  return (signal) => texts.get(signal)?.readableDidRead === true
}
