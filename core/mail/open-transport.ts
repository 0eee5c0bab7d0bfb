// How mails leave, as the settings name it: through SMTP, or kept in the data folder and shown.
import path from 'node:path'
import type { Settings } from '#core/platform/config/settings.ts'
import type { Logger } from '#core/platform/log.ts'
import { inDataDir } from '#core/platform/storage/files/file-errors.ts'
import { type FileMailbox, openFileMailbox } from './file-mailbox.ts'
import type { MailTransport } from './mail-transport.ts'
import { watchSmtp } from './monitored-smtp.ts'

export interface OpenedTransport extends AsyncDisposable {
  transport: MailTransport
  /** The mailbox, when mails are kept instead of sent. */
  kept?: FileMailbox
  /** Throws one sentence while no mail can leave. */
  check: () => Promise<void>
  /** What a person is told of it. */
  line: string
}

/** Opens the transport and tries the server in the background: mails wait for it, and nothing else does. */
export async function openTransport(settings: Settings, log: Logger): Promise<OpenedTransport> {
  if (settings.smtpUrl) {
    const { openSmtp } = await import('./smtp.ts')
    const transport = watchSmtp(openSmtp(settings.smtpUrl.reveal(), settings.mailFrom), log)
    return toOpened(transport, { line: 'email: sent through SEALWRIGHT_SMTP_URL' })
  }
  const kept = await inDataDir(() => openFileMailbox(path.resolve(settings.dataDir, 'mails')))
  return toOpened(kept, { kept, line: 'email: not sent, shown at /dev/mails' })
}

function toOpened(transport: MailTransport, rest: Pick<OpenedTransport, 'kept' | 'line'>): OpenedTransport {
  return {
    ...rest,
    transport,
    async check() {
      const fault = transport.fault()
      if (fault !== undefined) throw new Error(fault)
    },
    [Symbol.asyncDispose]: () => transport.close(),
  }
}
