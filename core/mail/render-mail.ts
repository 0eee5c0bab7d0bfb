// Turns a mail that is due into what goes out, opening its secret for the moment.
import type { Core } from '#core/context.ts'
import type { RenderedMail } from './mail-transport.ts'
import { mailContext } from './record-mail.ts'
import type { DueMail, MailTemplate } from './store.ts'
import { renderCompleted } from './templates/completed.ts'
import type { MailContent } from './templates/layout.ts'
import { renderOneTimeCode } from './templates/one-time-code.ts'
import { renderSigningLink } from './templates/signing-link.ts'

/** The mail in full, secret included: to be handed to a transport and forgotten. */
export function renderMail(core: Pick<Core, 'keys' | 'settings'>, mail: DueMail): RenderedMail {
  const secret = core.keys.open(mail.secretBox, mailContext(mail.id))
  return { id: mail.id, to: mail.recipient, ...RENDERERS[mail.template](core.settings, mail, secret) }
}

const RENDERERS: Readonly<Record<MailTemplate, (settings: Core['settings'], mail: DueMail, secret: string) => MailContent>> = {
  SIGNING_LINK: (settings, mail, token) =>
    renderSigningLink({ ...mail, link: signingUrl(settings, token), expiresAt: mail.linkExpiresAt }),
  ONE_TIME_CODE: (settings, mail, code) => renderOneTimeCode({ ...mail, code, validSeconds: settings.otpTtlSeconds }),
  COMPLETED: (settings, mail, token) => renderCompleted({ ...mail, link: signingUrl(settings, token) }),
}

function signingUrl(settings: Core['settings'], token: string): string {
  return `${settings.publicUrl}/sign/${token}`
}
