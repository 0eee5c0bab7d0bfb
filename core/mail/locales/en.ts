// Emails in English.
import type { FactorChange } from '../record-mail.ts'
import { toReadableTime } from '../readable-time.ts'
import { sentence } from '../sentence.ts'
import type { MailTexts } from './texts.ts'

const EXPECTED = 'If you did not expect this email, you can ignore it.'
const SIGNED_OUT = 'You have been signed out everywhere else.'
const SERVICE = 'in Sealwright, its service for electronic signatures'

const time = (at: Date) => toReadableTime(at, 'en')
const from = (address: string) => address && ` from the address ${address}`
const duration = (seconds: number) => (seconds < 120 ? `${seconds} seconds` : `${Math.floor(seconds / 60)} minutes`)

export const en: MailTexts = {
  language: 'en',
  hello: (recipient) => sentence`Hello ${recipient},`,
  orCopyLink: 'Or copy this link into your browser:',
  signingLink({ organisation, title, message, link, until }) {
    const works = until ? `until ${time(until)}` : 'until everyone has signed'
    return {
      subject: sentence`${organisation} asks you to sign: ${title}`,
      preview: `Read the documents and sign, ${works}.`,
      heading: sentence`${organisation} asks you to sign`,
      body: [
        sentence`${organisation} asks you to read and sign ${title}. Your link works ${works}.`,
        { introduction: sentence`${organisation} writes:`, quoted: message },
        { label: 'Read and sign', link },
      ],
      notes: [
        'This link is only for you. Anyone who opens it can act in your name, so please do not share it.',
        `${EXPECTED} Nothing is signed until you sign.`,
      ],
    }
  },
  oneTimeCode: ({ title, code, validSeconds }) => ({
    subject: sentence`Your code to sign: ${title}`,
    preview: `It is valid for ${duration(validSeconds)}.`,
    heading: 'Your code',
    body: [
      sentence`Enter this code to sign ${title}:`,
      { code },
      `It is valid for ${duration(validSeconds)} and can be used once.`,
    ],
    notes: [
      'Enter it only on the page that your signing link opens. If you did not request a code, someone else may have your link.',
    ],
  }),
  completed: ({ organisation, title, link }) => ({
    subject: sentence`Completed: ${title}`,
    preview: 'Your signed copy is ready.',
    heading: 'Everyone has signed',
    body: [
      sentence`Everyone has signed ${title}, which ${organisation} sent. Your signed copy is ready.`,
      { label: 'Download signed copy', link },
    ],
    notes: [
      'Please download your copy and keep it. The link will expire.',
      'Each PDF contains a digital seal. A PDF reader shows whether the file has changed since.',
    ],
  }),
  panelSetup({ organisation, link, until }) {
    const todo = until
      ? `Set your password to sign in. The link works once and expires on ${time(until)}.`
      : 'Sign in with your usual work account.'
    return {
      subject: sentence`Your access to Sealwright: ${organisation}`,
      preview: todo,
      heading: 'Your access to Sealwright',
      body: [
        sentence`${organisation} has invited you to its settings ${SERVICE}.`,
        todo,
        { label: until ? 'Set your password' : 'Sign in', link },
      ],
      notes: [...(until ? ['Anyone who opens this link can act in your name. Please do not share it.'] : []), EXPECTED],
    }
  },
  panelElsewhere: ({ organisation, address }) => ({
    subject: sentence`Your access to Sealwright: ${organisation}`,
    preview: 'This address already has an account in another organisation.',
    heading: 'Your access to Sealwright',
    body: [
      sentence`${organisation} has invited you to its settings ${SERVICE}.`,
      sentence`Your address ${address} already has an account in another organisation here, so this invitation cannot be accepted.`,
      'An address can sign in to one organisation only. Either ask for an invitation to another address of yours, or have an admin of your current organisation remove your access there and then ask for a new invitation.',
    ],
    notes: [`Your current access has not changed. ${EXPECTED}`],
  }),
  passwordChanged({ organisation, at, address }) {
    const change = `was changed on ${time(at)}${from(address)}. ${SIGNED_OUT}`
    return {
      subject: sentence`Your Sealwright password was changed: ${organisation}`,
      preview: `Your password ${change}`,
      heading: 'Your password was changed',
      body: [sentence`Your password for the settings of ${organisation} in Sealwright ${change}`],
      notes: [
        'If this was you, you don’t need to do anything.',
        'If it was not you, ask an admin of your organisation for a new password link immediately.',
      ],
    }
  },
  factorChanged({ organisation, at, address, change }) {
    const { heading, what, after } = FACTOR[change]
    const body = sentence`${what} ${organisation} in Sealwright on ${time(at)}${from(address)}. ${after}`
    return {
      subject: sentence`${heading}: ${organisation}`,
      preview: body,
      heading,
      body: [body],
      notes: [
        'If you expected this, you don’t need to do anything else.',
        'If not, tell an admin of your organisation immediately, and ask for a new password link.',
      ],
    }
  },
  webhookDisabled({ organisation, url, at, settingsUrl, lastError }) {
    const what = sentence`Sealwright disabled the webhook ${url} on ${time(at)}, because several deliveries in a row used up all their retries.`
    return {
      subject: sentence`A webhook was disabled: ${organisation}`,
      preview: what,
      heading: 'A webhook was disabled',
      body: [
        what,
        ...(lastError === undefined ? [] : [`The last attempt failed: ${lastError}`]),
        'Events that occur while the webhook is disabled are recorded as “Not sent” and are not sent later.',
        'What to do: correct the receiver or the webhook’s URL, then send a test from the settings. The webhook is enabled as soon as a test succeeds. Without a test, Sealwright probes the receiver every few hours and enables the webhook when the receiver answers with a 2xx status.',
        'The delivery history shows every attempt. Deliveries that gave up can be sent again from there once the webhook is enabled.',
        { label: 'Open the webhooks', link: settingsUrl },
      ],
      notes: [sentence`You get this email as an admin of ${organisation}.`],
    }
  },
  webhookEnabled({ organisation, url, at, settingsUrl }) {
    const what = sentence`The receiver of the webhook ${url} answered a test event with a 2xx status. Sealwright enabled the webhook on ${time(at)} and sends new events to it.`
    return {
      subject: sentence`A webhook was enabled again: ${organisation}`,
      preview: what,
      heading: 'A webhook was enabled again',
      body: [
        what,
        'Events that occurred while it was disabled were not sent and are not sent later; the delivery history lists them as “Not sent”.',
        'What to do: in the delivery history, send the deliveries again that gave up before the webhook was disabled, and read the changes that were not sent through the API.',
        { label: 'Open the webhooks', link: settingsUrl },
      ],
      notes: [sentence`You get this email as an admin of ${organisation}.`],
    }
  },
}

/** `what` stands before the organisation and the time. */
const FACTOR: Readonly<Record<FactorChange, { heading: string; what: string; after: string }>> = {
  SET_UP: {
    heading: 'Second factor set up',
    what: 'A second factor was set up for your sign-in to the settings of',
    after: `${SIGNED_OUT} From now on, signing in takes your password and a code of your authenticator app.`,
  },
  REMOVED: {
    heading: 'Second factor removed',
    what: 'The second factor was removed from your sign-in to the settings of',
    after: `${SIGNED_OUT} Signing in takes only your password.`,
  },
  RESET: {
    heading: 'Second factor reset',
    what: 'An admin or the operator reset the second factor of your sign-in to the settings of',
    after: 'You have been signed out everywhere. Sign in with your password and set up a new second factor.',
  },
  RECOVERY_CODE_USED: {
    heading: 'Recovery code used',
    what: 'A recovery code was used as the second factor of your sign-in to the settings of',
    after: 'This code does not work any more. If your phone is lost, remove the second factor and set up a new one.',
  },
  RECOVERY_CODES_RENEWED: {
    heading: 'New recovery codes',
    what: 'New recovery codes were issued for your sign-in to the settings of',
    after: 'The earlier codes do not work any more.',
  },
}
