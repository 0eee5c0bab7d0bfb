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
import type { PersonTemplate, SignerTemplate } from './store.ts'

const TEXTS: Readonly<Record<Locale, MailTexts>> = { en, de }

/** The complete email in the organisation's language, with its secret: pass it to a transport and do not store it. */
export function renderMail({ keys, settings }: Pick<Core, 'keys' | 'settings'>, mail: MailJob): RenderedMail {
  const context = { texts: TEXTS[mail.locale], settings, secret: keys.open(mail.secretBox, mailContext(mail.id)) }
  const words = isToPerson(mail) ? TO_PERSON[mail.template](mail, context) : TO_SIGNER[mail.template](mail, context)
  const content = composeMail(context.texts, written(mail.recipientName), words)
  return { id: mail.id, to: mail.recipient, sentAt: mail.takenAt, ...content }
}

interface Context {
  texts: MailTexts
  settings: Core['settings']
  secret: string
}

type Words<Job> = (mail: Job, context: Context) => MailWords

const TO_SIGNER: Readonly<Record<SignerTemplate, Words<SignerMailJob>>> = {
  SIGNING_LINK: (mail, context) =>
    context.texts.signingLink({
      ...aboutEnvelope(mail),
      message: mail.message ?? '',
      link: signingUrl(context),
      until: mail.linkExpiresAt,
    }),
  ONE_TIME_CODE: (mail, { texts, settings, secret }) =>
    texts.oneTimeCode({ ...aboutEnvelope(mail), code: secret, validSeconds: settings.otpTtlSeconds }),
  COMPLETED: (mail, context) => context.texts.completed({ ...aboutEnvelope(mail), link: signingUrl(context) }),
}

const TO_PERSON: Readonly<Record<PersonTemplate, Words<PersonMailJob>>> = {
  PANEL_SETUP: (mail, { texts, secret }) =>
    mail.isElsewhere
      ? texts.panelElsewhere({ ...aboutPanel(mail), address: written(mail.recipient) })
      : texts.panelSetup({ ...aboutPanel(mail), link: secret, until: mail.linkExpiresAt }),
  PASSWORD_CHANGED: (mail, { texts, secret }) => texts.passwordChanged({ ...aboutPanel(mail), address: secret }),
  FACTOR_CHANGED(mail, { texts, secret }) {
    const { change, address }: FactorNotice = JSON.parse(secret)
    // The address of an admin who reset it is not the person's business.
    return texts.factorChanged({ ...aboutPanel(mail), change, address: change === 'RESET' ? '' : address })
  },
  WEBHOOK_DISABLED(mail, context) {
    const { lastError, ...webhook } = aboutWebhook(mail, context)
    return context.texts.webhookDisabled({ ...webhook, lastError: lastError?.[context.texts.language] })
  },
  WEBHOOK_ENABLED: (mail, context) => context.texts.webhookEnabled(aboutWebhook(mail, context)),
}

function aboutEnvelope({ organisationName, title }: SignerMailJob) {
  return { organisation: written(organisationName), title: { ...written(title), strong: true } }
}

function aboutPanel({ organisationName, createdAt }: PersonMailJob) {
  return { organisation: written(organisationName), at: createdAt }
}

function aboutWebhook(mail: PersonMailJob, { settings, secret }: Context) {
  const { url, lastError }: WebhookNotice = JSON.parse(secret)
  return { ...aboutPanel(mail), url: written(url), lastError, settingsUrl: `${settings.publicUrl}/settings/webhooks` }
}

function signingUrl({ settings, secret }: Context): string {
  return `${settings.publicUrl}/sign/${secret}`
}

function written(text: string): UserText {
  return { written: toVisibleLine(text) }
}
