// Renders an email that is due, decrypting its secret only for this.
import type { Core } from '#core/context.ts'
import { toVisibleLine } from '#core/platform/text/visible-text.ts'
import type { Locale } from '#core/platform/text/locale.ts'
import { composeMail } from './compose-mail.ts'
import { de } from './locales/de.ts'
import { en } from './locales/en.ts'
import type { MailTexts, MailWords } from './locales/texts.ts'
import { isToPerson, type MailJob, type PersonMailJob, type SignerMailJob } from './mail-job.ts'
import type { RenderedMail } from './mail-transport.ts'
import { type FactorNotice, mailContext, type WebhookNotice } from './record-mail.ts'
import type { UserText } from './sentence.ts'

const TEXTS: Readonly<Record<Locale, MailTexts>> = { en, de }

/** The complete email in the organisation's language, with its secret: pass it to a transport and do not store it. */
export function renderMail(core: Pick<Core, 'keys' | 'settings'>, mail: MailJob): RenderedMail {
  const secret = core.keys.open(mail.secretBox, mailContext(mail.id))
  const texts = TEXTS[mail.locale]
  const words = isToPerson(mail)
    ? wordsToPerson(texts, core.settings, mail, secret)
    : wordsToSigner(texts, core.settings, mail, secret)
  return { id: mail.id, to: mail.recipient, sentAt: mail.takenAt, ...composeMail(texts, written(mail.recipientName), words) }
}

function wordsToSigner(texts: MailTexts, settings: Core['settings'], mail: SignerMailJob, secret: string): MailWords {
  const about = { organisation: written(mail.organisationName), title: { ...written(mail.title), strong: true } }
  const link = `${settings.publicUrl}/sign/${secret}`
  switch (mail.template) {
    case 'SIGNING_LINK':
      return texts.signingLink({ ...about, message: mail.message ?? '', link, until: mail.linkExpiresAt })
    case 'ONE_TIME_CODE':
      return texts.oneTimeCode({ ...about, code: secret, validSeconds: settings.otpTtlSeconds })
    case 'COMPLETED':
      return texts.completed({ ...about, link })
  }
}

function wordsToPerson(texts: MailTexts, settings: Core['settings'], mail: PersonMailJob, secret: string): MailWords {
  const about = { organisation: written(mail.organisationName), at: mail.createdAt }
  switch (mail.template) {
    case 'PANEL_SETUP':
      return mail.isElsewhere
        ? texts.panelElsewhere({ ...about, address: written(mail.recipient) })
        : texts.panelSetup({ ...about, link: secret, until: mail.linkExpiresAt })
    case 'PASSWORD_CHANGED':
      return texts.passwordChanged({ ...about, address: secret })
    case 'FACTOR_CHANGED': {
      const { change, address }: FactorNotice = JSON.parse(secret)
      // The address of an admin who reset it is not the person's business.
      return texts.factorChanged({ ...about, change, address: change === 'RESET' ? '' : address })
    }
    case 'WEBHOOK_DISABLED':
    case 'WEBHOOK_ENABLED': {
      const { url, lastError }: WebhookNotice = JSON.parse(secret)
      const webhook = { ...about, url: written(url), settingsUrl: `${settings.publicUrl}/settings/webhooks` }
      return mail.template === 'WEBHOOK_ENABLED'
        ? texts.webhookEnabled(webhook)
        : texts.webhookDisabled({ ...webhook, lastError: lastError?.[texts.language] })
    }
  }
}

function written(text: string): UserText {
  return { written: toVisibleLine(text) }
}
