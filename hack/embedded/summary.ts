// What a start prints to the terminal and writes to dev.json.
import path from 'node:path'
import { hasDevPages } from '../../api/http/middleware/on-this-machine.ts'
import type { CoreSettings } from '#core/context.ts'
import type { DataFolder } from './data-folder.ts'

/** The running service's addresses, with the mailbox when emails are kept and shown, and the webhook receiver when there is one. */
export function addressesOf(settings: CoreSettings) {
  const { publicUrl, smtpUrl, webhookReceiver } = settings
  return {
    baseUrl: publicUrl,
    tokenUrl: `${publicUrl}/oauth2/token`,
    settingsUrl: `${publicUrl}/settings`,
    ...(smtpUrl === undefined && hasDevPages(settings) && { mailboxUrl: `${publicUrl}/dev/mails` }),
    ...(webhookReceiver && { webhooksUrl: `${publicUrl}/dev/webhooks` }),
  }
}

type Addresses = ReturnType<typeof addressesOf> & { adminEmail: string }

/** The terminal's lines, once the service is ready. */
export function summarise(
  { baseUrl, settingsUrl, adminEmail, mailboxUrl, webhooksUrl }: Addresses,
  parts: readonly string[],
  folder: DataFolder,
): string {
  const addresses = [
    `settings: ${settingsUrl} (sign in as ${adminEmail})`,
    ...(mailboxUrl ? [`emails: ${mailboxUrl}`] : []),
    ...(webhooksUrl ? [`webhook receiver: ${webhooksUrl}`] : []),
    `API documentation: ${baseUrl}/docs`,
    `passwords, credentials and all addresses: ${folder.devJson}`,
    `log: ${path.relative('.', folder.log)}`,
  ]
  const indented = (lines: readonly string[]) => lines.map((line) => `  ${line}`)
  return ['', ...indented(parts), '', `Sealwright is ready at ${baseUrl}`, ...indented(addresses)].join('\n')
}
