// A mail server that takes everything unless told otherwise, and keeps what it got as it came over the wire.
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { buffer } from 'node:stream/consumers'

export interface ReceivedMail {
  from: string
  recipients: string[]
  raw: Buffer
  secure: boolean
}

export interface SmtpSink {
  port: number
  received: ReceivedMail[]
  /** Connections opened since the start. */
  connections: number
  /** Whether it hangs up on a mail to this address, without a word, when it has heard it to its end; none unless told otherwise. */
  hangsUpOn: (recipient: string) => boolean
  /** Ends the connection of a session without a word. */
  hangUp(sessionId: string): void
  close(): Promise<void>
}

/** An SMTP reply, for a sink that is to refuse. */
export function smtpReply(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode })
}

/** `port`: that of a sink which was closed, so that it comes back under its address; absent: any free one. */
export async function startSmtpSink(options: SMTPServerOptions = {}, port = 0): Promise<SmtpSink> {
  const sink: SmtpSink = {
    port: 0,
    received: [],
    connections: 0,
    hangsUpOn: () => false,
    hangUp(sessionId) {
      for (const connection of server.connections) if (connection.session.id === sessionId) connection.close()
    },
    close: () => Promise.resolve(),
  }
  const server: SMTPServer = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    logger: false,
    // A pool keeps its connections open; by itself the server would wait for them for half a minute.
    closeTimeout: 200,
    onConnect(_session, done) {
      sink.connections++
      done()
    },
    onData(stream, session, done) {
      void buffer(stream).then((raw) => {
        const { mailFrom, rcptTo } = session.envelope
        const from = mailFrom === false ? '' : mailFrom.address
        const recipients = rcptTo.map(({ address }) => address)
        if (recipients.some((address) => sink.hangsUpOn(address))) return sink.hangUp(session.id)
        sink.received.push({ from, recipients, raw, secure: session.secure })
        done()
      }, done) // whoever hangs up in the middle has sent nothing
    },
    ...options,
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve)
  })
  const address = server.server.address()
  sink.port = typeof address === 'object' && address ? address.port : 0
  sink.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve())
    })
  return sink
}
