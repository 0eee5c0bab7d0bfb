// The texts of all emails. Every language must define every text.
import type { Locale } from '#core/platform/text/locale.ts'
import type { FactorChange } from '../record-mail.ts'
import type { Sentence, UserText } from '../sentence.ts'

/** A part of the body: a paragraph, a one-time code, a button, or what the sender wrote. */
export type Part = Sentence | { code: string } | { label: string; link: string } | { introduction: Sentence; quoted: string }

export interface MailWords {
  /** Without secrets: it shows on lock screens and in server logs. */
  subject: Sentence
  /** Shown by mail clients beside the subject; no secrets. */
  preview: Sentence
  heading: Sentence
  /** What follows the greeting. */
  body: readonly Part[]
  /** Small print under the card. */
  notes: readonly Sentence[]
}

interface AboutEnvelope {
  organisation: UserText
  title: UserText
}

interface AboutPanel {
  organisation: UserText
  at: Date
  /** Address of the client; empty when it is not known. */
  address: string
}

export interface MailTexts {
  language: Locale
  hello: (recipient: UserText) => Sentence
  /** Before the address of a button, for clients that show no buttons. */
  orCopyLink: string
  /** Asks a signer to sign. `until`: null for a link that works until everyone has signed. */
  signingLink: (about: AboutEnvelope & { message: string; link: string; until: Date | null }) => MailWords
  oneTimeCode: (about: AboutEnvelope & { code: string; validSeconds: number }) => MailWords
  /** To a signer once everyone has signed. `link`: the signer's own, which now opens the signed copy. */
  completed: (about: AboutEnvelope & { link: string }) => MailWords
  /** Gives a person access to the panel. `until`: null where people sign in with an identity provider. */
  panelSetup: (about: { organisation: UserText; link: string; until: Date | null }) => MailWords
  /** The invitation to an address that signs in to another organisation. Only its owner reads this: the inviting admin must not learn it from us. */
  panelElsewhere: (about: { organisation: UserText; address: UserText }) => MailWords
  /** Without a link, because phishing emails imitate such warnings. */
  passwordChanged: (about: AboutPanel) => MailWords
  /** Without a link, as above. */
  factorChanged: (about: AboutPanel & { change: FactorChange }) => MailWords
  /** To an admin. `lastError`: why the last attempt failed. */
  webhookDisabled: (about: AboutWebhook & { lastError: string | undefined }) => MailWords
  webhookEnabled: (about: AboutWebhook) => MailWords
}

interface AboutWebhook {
  organisation: UserText
  url: UserText
  at: Date
  settingsUrl: string
}
