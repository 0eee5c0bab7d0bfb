// A mail server that accepts everything by default and stores what it received.
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
  /** Whether it drops the connection after it received an email to this address completely; never by default. */
  hangsUpOn: (recipient: string) => boolean
  /** Drops a session's connection. */
  hangUp(sessionId: string): void
  close(): Promise<void>
}

/** An SMTP reply, for a sink that refuses. */
export function smtpReply(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode })
}

/** `port`: that of a closed sink, so that it returns at the same address; absent: any free one. */
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
    // A pool keeps its connections open, and the server would wait for them for 30 seconds.
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
      }, done) // a client that disconnects halfway has sent nothing
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
