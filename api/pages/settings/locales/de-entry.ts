// Sign-in, password setup and the person's own account, in German.
import type { enAccount, enEntry } from './en-entry.ts'

export const deEntry: typeof enEntry = {
  signIn: {
    title: 'Anmelden',
    againTitle: 'Bitte melden Sie sich erneut an',
    againBody: 'Ihre Sitzung ist abgelaufen. Ihre Arbeit auf dieser Seite geht nicht verloren.',
    signedOut: 'Sie sind abgemeldet.',
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    submit: 'Anmelden',
    submitIn: (time) => `Anmelden in ${time}`,
    wrongPassword: 'E-Mail-Adresse oder Passwort ist falsch.',
    throttled: 'Zu viele Fehlversuche. Bitte warten Sie, bevor Sie es erneut versuchen.',
    oidcBody: 'Sie melden sich mit dem Konto Ihrer Organisation an.',
    oidcSubmit: 'Weiter zur Anmeldung',
    failedTitle: 'Anmeldung fehlgeschlagen',
    forgotten: 'Passwort vergessen? Ein Admin kann Ihnen einen neuen Link senden.',
    footer: 'Verwaltung dieser Installation',
    oidcErrors: {
      SIGN_IN_EXPIRED:
        'Die Anmeldung hat zu lange gedauert oder wurde in einem anderen Browser begonnen. Bitte versuchen Sie es erneut.',
      SIGN_IN_FAILED: 'Die Anmeldung wurde nicht abgeschlossen. Bitte versuchen Sie es erneut.',
      PROVIDER_UNAVAILABLE: 'Der Anmeldedienst Ihrer Organisation antwortet nicht. Bitte versuchen Sie es später erneut.',
      EMAIL_NOT_VERIFIED: 'Ihre E-Mail-Adresse ist nicht bestätigt. Wenden Sie sich an die Administration Ihres Anmeldedienstes.',
      PERSON_UNKNOWN: 'Dieses Konto hat hier keinen Zugriff. Bitten Sie einen Admin, die zugehörige E-Mail-Adresse einzuladen.',
    },
  },
  setup: {
    title: 'Wählen Sie Ihr Passwort',
    body: 'Damit melden Sie sich bei den Einstellungen an. Der Link funktioniert nur einmal.',
    password: 'Passwort',
    show: 'Passwort anzeigen',
    rule: (least) => `Mindestens ${least} Zeichen. Ein paar Wörter, die Sie sich merken, sind besser als Sonderzeichen.`,
    tooShort: (least) => `Verwenden Sie mindestens ${least} Zeichen.`,
    tooLong: (most) => `Verwenden Sie höchstens ${most} Zeichen.`,
    submit: 'Passwort speichern',
    doneTitle: 'Passwort gespeichert',
    doneBody: 'Sie können sich jetzt anmelden.',
    toSignIn: 'Anmelden',
    missingTitle: 'Bitte öffnen Sie den Link in Ihrer E-Mail',
    missingBody:
      'Diese Seite braucht den einmaligen Link aus Ihrer E-Mail. Öffnen Sie ihn erneut, oder bitten Sie einen Admin um einen neuen.',
    goneTitle: 'Dieser Link ist nicht mehr gültig',
    goneBody:
      'Er wurde bereits verwendet, durch einen neueren ersetzt oder ist abgelaufen. Ein Admin kann Ihnen einen neuen senden.',
    oidcTitle: 'Sie brauchen hier kein Passwort',
  },
}

export const deAccount: typeof enAccount = {
  title: 'Ihr Konto',
  lead: 'Ihr eigener Zugang zu diesen Einstellungen. Name und Rolle kann ein Admin ändern.',
  password: 'Passwort',
  passwordHint: 'Ein neues Passwort beendet Ihre Sitzungen in anderen Browsern.',
  currentPassword: 'Aktuelles Passwort',
  newPassword: 'Neues Passwort',
  changePassword: 'Passwort ändern',
  passwordChanged: 'Passwort geändert',
  sessions: 'Sitzungen',
  sessionsHint: 'Wenn Sie auf einem Gerät angemeldet sind, dem Sie nicht mehr vertrauen, beenden Sie alle Sitzungen, auch diese.',
  signOutEverywhere: 'Überall abmelden',
}
