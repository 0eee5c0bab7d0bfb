// The system under chaos: two of every process, their servers, and a mail server of the test.
import type { DevJson } from '../support/servers/running-service.ts'
import { type DoubledService, startDoubledService } from '../support/servers/doubled-service.ts'
import { startSmtpMailbox } from '../support/clients/smtp-mailbox.ts'
import { smtpReply, type SmtpSink, startSmtpSink } from '../support/servers/smtp-sink.ts'

export interface ChaosWorld extends AsyncDisposable {
  service: DoubledService
  dev: DevJson
  sink: SmtpSink
  /** Whether the mail server defers every email. */
  mailServer: { deferring: boolean }
}

/** Starts everything, without faults. */
export async function startChaosWorld(): Promise<ChaosWorld> {
  await using stack = new AsyncDisposableStack()
  const mailServer = { deferring: false }
  const sink = await startSmtpSink({
    onRcptTo: (_address, _session, done) => (mailServer.deferring ? done(smtpReply(451, 'Come back later')) : done()),
  })
  stack.defer(() => sink.close())
  const mailbox = stack.use(await startSmtpMailbox(sink))
  const service = stack.use(
    await startDoubledService({
      SEALWRIGHT_SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
      SEALWRIGHT_MAIL_FROM: 'seal@example.test',
      SEALWRIGHT_QUOTA_EMAILS_PER_HOUR: '1000000',
      SEALWRIGHT_QUOTA_ENVELOPES_SENT_PER_DAY: '1000000',
      SEALWRIGHT_QUOTA_OPEN_ENVELOPES: '1000000',
    }),
  )
  const running = stack.move()
  return {
    service,
    dev: { ...service.dev, mailboxUrl: mailbox.url },
    sink,
    mailServer,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}
