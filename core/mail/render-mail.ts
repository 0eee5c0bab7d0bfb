// Renders an email that is due, decrypting its secret only for this.
import type { Core } from '#core/context.ts'
import type { RenderedMail } from './mail-transport.ts'
import { type FactorNotice, mailContext, type WebhookNotice } from './record-mail.ts'
import { isToPerson, type MailJob, type SignerMailJob } from './mail-job.ts'
import type { SignerTemplate } from './store.ts'
import { renderCompleted } from './templates/completed.ts'
import type { MailContent } from './templates/layout.ts'
import { renderFactorChanged } from './templates/factor-changed.ts'
import { renderOneTimeCode } from './templates/one-time-code.ts'
import { renderPanelElsewhere } from './templates/panel-elsewhere.ts'
import { renderPanelSetup } from './templates/panel-setup.ts'
import { renderPasswordChanged } from './templates/password-changed.ts'
import { renderSigningLink } from './templates/signing-link.ts'
import { renderWebhookSwitched } from './templates/webhook-switched.ts'

/** The complete email with its secret: pass it to a transport and do not store it. */
export function renderMail(core: Pick<Core, 'keys' | 'settings'>, mail: MailJob): RenderedMail {
  const secret = core.keys.open(mail.secretBox, mailContext(mail.id))
  return { id: mail.id, to: mail.recipient, sentAt: mail.takenAt, ...renderContent(core.settings, mail, secret) }
}

function renderContent(settings: Core['settings'], mail: MailJob, secret: string): MailContent {
  if (!isToPerson(mail)) return RENDERERS[mail.template](settings, mail, secret)
  const person = { personName: mail.recipientName, organisationName: mail.organisationName }
  if (mail.template === 'WEBHOOK_DISABLED' || mail.template === 'WEBHOOK_ENABLED') {
    const { url, lastError }: WebhookNotice = JSON.parse(secret)
    return renderWebhookSwitched({
      ...person,
      webhookUrl: url,
      lastError,
      isEnabled: mail.template === 'WEBHOOK_ENABLED',
      at: mail.createdAt,
      settingsUrl: `${settings.publicUrl}/settings/webhooks`,
    })
  }
  if (mail.template === 'PASSWORD_CHANGED')
    return renderPasswordChanged({ ...person, changedAt: mail.createdAt, address: secret })
  if (mail.template === 'FACTOR_CHANGED') {
    const notice: FactorNotice = JSON.parse(secret)
    return renderFactorChanged({ ...person, ...notice, at: mail.createdAt })
  }
  if (mail.isElsewhere) return renderPanelElsewhere({ ...person, address: mail.recipient })
  return renderPanelSetup({ ...person, link: secret, expiresAt: mail.linkExpiresAt })
}

type Renderer = (settings: Core['settings'], mail: SignerMailJob, secret: string) => MailContent

const RENDERERS: Readonly<Record<SignerTemplate, Renderer>> = {
  SIGNING_LINK: (settings, mail, token) =>
    renderSigningLink({
      ...mail,
      signerName: mail.recipientName,
      link: signingUrl(settings, token),
      expiresAt: mail.linkExpiresAt,
    }),
  ONE_TIME_CODE: (settings, mail, code) =>
    renderOneTimeCode({ ...mail, signerName: mail.recipientName, code, validSeconds: settings.otpTtlSeconds }),
  COMPLETED: (settings, mail, token) =>
    renderCompleted({ ...mail, signerName: mail.recipientName, link: signingUrl(settings, token) }),
}

function signingUrl(settings: Core['settings'], token: string): string {
  return `${settings.publicUrl}/sign/${token}`
}
