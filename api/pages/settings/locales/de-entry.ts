// The way into the panel in German: signing in, and the first password.
import type { enAccount, enEntry } from './en-entry.ts'

export const deEntry: typeof enEntry = {
  signIn: {
    title: 'Anmelden',
    againTitle: 'Bitte melden Sie sich noch einmal an',
    againBody: 'Ihre Sitzung ist abgelaufen. Was auf dieser Seite offen ist, bleibt, wie es ist.',
    signedOut: 'Sie sind abgemeldet.',
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    submit: 'Anmelden',
    submitIn: (time) => `Anmelden in ${time}`,
    wrongPair: 'E-Mail-Adresse und Passwort passen nicht zusammen.',
    slowed: 'Es gab zu viele Fehlversuche. Bitte warten Sie, bis die Zeit um ist.',
    oidcBody: 'Sie melden sich mit dem Konto Ihrer Organisation an.',
    oidcSubmit: 'Weiter zur Anmeldung',
    failedTitle: 'Sie sind nicht angemeldet',
    forgotten: 'Passwort vergessen? Ein Admin kann Ihnen einen neuen Link schicken.',
    footer: 'Verwaltung dieser Installation',
    oidcRefused: {
      SIGN_IN_EXPIRED: 'Das hat zu lange gedauert oder begann in einem anderen Browser. Bitte versuchen Sie es noch einmal.',
      SIGN_IN_FAILED: 'Die Anmeldung wurde nicht abgeschlossen. Bitte versuchen Sie es noch einmal.',
      PROVIDER_UNAVAILABLE: 'Die Anmeldung Ihrer Organisation antwortet gerade nicht. Bitte versuchen Sie es später.',
      EMAIL_NOT_VERIFIED:
        'Die E-Mail-Adresse Ihres Kontos ist nicht bestätigt. Fragen Sie, wer die Anmeldung Ihrer Organisation betreibt.',
      PERSON_UNKNOWN: 'Dieses Konto hat hier keinen Zugang. Bitten Sie einen Admin, die zugehörige E-Mail-Adresse einzuladen.',
    },
  },
  setup: {
    title: 'Wählen Sie Ihr Passwort',
    body: 'Damit melden Sie sich bei den Einstellungen an. Der Link gilt einmal.',
    password: 'Passwort',
    show: 'Passwort anzeigen',
    rule: (least) => `Mindestens ${least} Zeichen. Ein paar Wörter, die Sie sich merken, sind besser als Sonderzeichen.`,
    tooShort: (least) => `Das Passwort braucht mindestens ${least} Zeichen.`,
    tooLong: (most) => `Das Passwort darf höchstens ${most} Zeichen haben.`,
    submit: 'Passwort speichern',
    doneTitle: 'Ihr Passwort ist gespeichert',
    doneBody: 'Sie können sich jetzt damit anmelden.',
    toSignIn: 'Anmelden',
    missingTitle: 'Bitte öffnen Sie den Link aus der E-Mail',
    missingBody:
      'Diese Seite braucht den Link, den Sie bekommen haben. Öffnen Sie ihn noch einmal; ein Admin kann Ihnen auch einen neuen schicken.',
    goneTitle: 'Dieser Link gilt nicht mehr',
    goneBody:
      'Er wurde schon benutzt, durch einen neueren ersetzt, oder seine Zeit ist abgelaufen. Ein Admin kann Ihnen einen neuen schicken.',
    oidcTitle: 'Sie brauchen hier kein Passwort',
  },
}

export const deAccount: typeof enAccount = {
  title: 'Ihr Konto',
  lead: 'Ihr eigener Zugang zu diesen Einstellungen. Name und Rolle kann ein Admin ändern.',
  password: 'Passwort',
  passwordHint: 'Mit einem neuen Passwort enden Ihre Sitzungen in anderen Browsern.',
  currentPassword: 'Bisheriges Passwort',
  newPassword: 'Neues Passwort',
  changePassword: 'Passwort ändern',
  passwordChanged: 'Ihr Passwort ist geändert',
  sessions: 'Sitzungen',
  sessionsHint:
    'Falls Sie auf einem Gerät angemeldet waren, dem Sie nicht mehr trauen: Das beendet alle Ihre Sitzungen, auch diese.',
  signOutEverywhere: 'Überall abmelden',
}
