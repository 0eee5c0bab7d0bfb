// Opens the mail transport of the settings: SMTP, or a folder that keeps them.
import path from 'node:path'
import type { Settings } from '#core/platform/config/settings.ts'
import type { Logger } from '#core/platform/log.ts'
import { inDataDir } from '#core/platform/storage/files/file-errors.ts'
import { type FileMailbox, openFileMailbox } from './file-mailbox.ts'
import type { MailTransport } from './mail-transport.ts'
import { monitorSmtp } from './monitored-smtp.ts'

export interface OpenedTransport extends AsyncDisposable {
  transport: MailTransport
  /** The mailbox, when emails are stored instead of sent. */
  mailbox?: FileMailbox
  /** Throws one sentence while no email can be sent. */
  check: () => Promise<void>
  /** Describes the transport in the terminal. */
  line: string
}

/** Opens the transport and checks the server in the background: only emails wait for it. */
export async function openTransport(settings: Settings, log: Logger): Promise<OpenedTransport> {
  if (settings.smtpUrl) {
    const { openSmtp } = await import('./smtp.ts')
    const transport = monitorSmtp(openSmtp(settings.smtpUrl.reveal(), settings.mailFrom), log)
    return toOpened(transport, { line: 'email: sent through SEALWRIGHT_SMTP_URL' })
  }
  const folder = path.resolve(settings.dataDir, 'mails')
  const mailbox = await inDataDir(() => openFileMailbox(folder))
  return toOpened(mailbox, { mailbox, line: `email: not sent, kept in ${folder}` })
}

function toOpened(transport: MailTransport, rest: Pick<OpenedTransport, 'mailbox' | 'line'>): OpenedTransport {
  return {
    ...rest,
    transport,
    async check() {
      const error = transport.lastError()
      if (error !== undefined) throw new Error(error)
    },
    [Symbol.asyncDispose]: () => transport.close(),
  }
}
