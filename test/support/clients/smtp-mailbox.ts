// Shows the emails of a test's mail server in the format of the development mailbox, so that the same clients can read their links.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import PostalMime from 'postal-mime'
import type { ReceivedMail, SmtpSink } from '../servers/smtp-sink.ts'

export interface SmtpMailbox extends AsyncDisposable {
  url: string
}

/** Serves the sink's emails as JSON, newest first; duplicates are listed twice. */
export async function startSmtpMailbox(sink: SmtpSink): Promise<SmtpMailbox> {
  const parsed = new Map<ReceivedMail, Awaited<ReturnType<typeof parse>>>()
  const list = async () => {
    for (const mail of sink.received) if (!parsed.has(mail)) parsed.set(mail, await parse(mail))
    return sink.received.flatMap((mail) => parsed.get(mail) ?? []).toReversed()
  }
  const server = createServer((_request, response) => {
    void list().then((mails) => response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(mails)))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a TCP server's address
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

async function parse({ raw, recipients }: ReceivedMail) {
  const { messageId, subject, text } = await PostalMime.parse(raw)
  return { id: messageId ?? '', to: recipients[0] ?? '', subject: subject ?? '', text: text ?? '' }
}
