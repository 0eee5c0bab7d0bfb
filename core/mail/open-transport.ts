// How mails leave, as the settings name it: through SMTP, or kept in the data folder and shown.
import path from 'node:path'
import type { Settings } from '#core/config/settings.ts'
import { type KeptMails, openKeptMails } from './kept-mails.ts'
import type { MailTransport } from './mail-transport.ts'

export interface OpenedTransport {
  transport: MailTransport
  /** The mailbox, when mails are kept instead of sent. */
  kept?: KeptMails
  /** What a person is told of it. */
  line: string
}

/** Opens the transport; nothing is sent before the first mail. */
export async function openTransport(settings: Settings): Promise<OpenedTransport> {
  if (settings.smtpUrl) {
    const { openSmtp } = await import('./smtp.ts')
    return { transport: openSmtp(settings.smtpUrl.reveal(), settings.mailFrom), line: 'mail: sent through SEALWRIGHT_SMTP_URL' }
  }
  const kept = await openKeptMails(path.resolve(settings.dataDir, 'mails'))
  return { transport: kept, kept, line: 'mail: kept and shown at /dev/mails, never sent' }
}
