// The email to a person whose second factor was changed. It contains no link, because phishing emails imitate such warnings.
import { toVisibleLine } from '#core/platform/text/visible-text.ts'
import { html } from '#core/platform/text/html.ts'
import type { FactorNotice } from '../record-mail.ts'
import { chosen, layout, type MailContent, paragraph } from './layout.ts'
import { toReadableTime } from './readable-time.ts'

export interface FactorChangedMail extends FactorNotice {
  personName: string
  organisationName: string
  at: Date
}

interface Words {
  heading: string
  /** What happened, before the organisation and the time. */
  change: string
  after: string
}

const SIGNED_OUT = 'You have been signed out everywhere else.'

const WORDS: Readonly<Record<FactorNotice['change'], Words>> = {
  SET_UP: {
    heading: 'Second factor set up',
    change: 'A second factor was set up for your sign-in to the settings of',
    after: `${SIGNED_OUT} From now on, signing in takes your password and a code of your authenticator app.`,
  },
  REMOVED: {
    heading: 'Second factor removed',
    change: 'The second factor was removed from your sign-in to the settings of',
    after: `${SIGNED_OUT} Signing in takes only your password.`,
  },
  RESET: {
    heading: 'Second factor reset',
    change: 'An admin or the operator reset the second factor of your sign-in to the settings of',
    after: 'You have been signed out everywhere. Sign in with your password and set up a new second factor.',
  },
  RECOVERY_CODE_USED: {
    heading: 'Recovery code used',
    change: 'A recovery code was used as the second factor of your sign-in to the settings of',
    after: 'This code does not work any more. If your phone is lost, remove the second factor and set up a new one.',
  },
  RECOVERY_CODES_RENEWED: {
    heading: 'New recovery codes',
    change: 'New recovery codes were issued for your sign-in to the settings of',
    after: 'The earlier codes do not work any more.',
  },
}

/** Renders the email to the person. */
export function renderFactorChanged(mail: FactorChangedMail): MailContent {
  const name = toVisibleLine(mail.personName)
  const organisation = toVisibleLine(mail.organisationName)
  const { heading, change, after } = WORDS[mail.change]
  // The address of an admin who reset it is not the person's business.
  const from = mail.address && mail.change !== 'RESET' ? ` from the address ${mail.address}` : ''
  const when = `in Sealwright on ${toReadableTime(mail.at)}${from}. ${after}`
  const notes = [
    'If you expected this, you don’t need to do anything else.',
    'If not, tell an admin of your organisation immediately, and ask for a new password link.',
  ]
  return {
    subject: `${heading}: ${organisation}`,
    text: [`Hello ${name},`, `${change} ${organisation} ${when}`, ...notes, '-- \nSealwright\n'].join('\n\n'),
    html: layout({
      preview: `${change} ${organisation} ${when}`,
      heading: html`${heading}`,
      body: [paragraph(html`Hello ${chosen(name)},`), paragraph(html`${change} ${chosen(organisation)} ${when}`)],
      notes: notes.map((note) => html`${note}`),
    }),
  }
}
