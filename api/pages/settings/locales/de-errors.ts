// The panel's error messages by code, in German.
import type { enErrors } from './en-errors.ts'

export const deErrors: typeof enErrors = {
  forbidden: 'Dazu fehlt Ihnen die Berechtigung. Wenden Sie sich an einen Admin Ihrer Organisation.',
  byCode: {
    VALIDATION_FAILED: 'Einige Ihrer Angaben sind ungültig. Bitte prüfen Sie sie.',
    INVALID_STATUS: 'Diesen Status gibt es nicht.',
    PAGE_TOO_DEEP: 'Es sind zu viele Seiten. Bitte grenzen Sie die Suche ein.',
    CSRF_TOKEN_INVALID: 'Ihre Sitzung hat sich geändert, vielleicht in einem anderen Tab. Bitte laden Sie die Seite neu.',
    PASSWORD_SIGN_IN_OFF: 'Die Anmeldung mit Passwort ist ausgeschaltet. Bitte laden Sie die Seite neu.',
    ORGANISATION_NOT_FOUND: 'Diese Organisation gibt es nicht mehr.',
    ENVELOPE_NOT_FOUND: 'Diesen Umschlag gibt es nicht, oder Sie haben keinen Zugriff auf seinen Arbeitsbereich.',
    ENVELOPE_CANNOT_BE_HELD: 'Nur ein versendeter Umschlag, dessen Dokumente noch vorhanden sind, kann Löschschutz erhalten.',
    WORKSPACE_NOT_FOUND: 'Diesen Arbeitsbereich gibt es nicht mehr. Bitte laden Sie die Seite neu.',
    CREDENTIAL_NOT_FOUND: 'Diese Zugangsdaten gibt es nicht mehr. Bitte laden Sie die Seite neu.',
    PERSON_NOT_FOUND: 'Diese Person gibt es nicht mehr. Bitte laden Sie die Seite neu.',
    SIGNING_KEY_NOT_FOUND: 'Diesen Siegelschlüssel gibt es nicht mehr. Bitte laden Sie die Seite neu.',
    SETUP_LINK_NOT_FOUND: 'Der Link wurde bereits verwendet, durch einen neueren ersetzt oder ist abgelaufen.',
    CREDENTIAL_WITHOUT_SECRET: 'Dieser Client erhält seine Token von einem externen Aussteller und hat hier kein Secret.',
    CREDENTIAL_REVOKED: 'Diese Zugangsdaten wurden gesperrt und lassen sich nicht mehr ändern.',
    SECRET_ROTATION_IN_PROGRESS:
      'Es sind bereits zwei Secrets gültig. Sperren Sie das vorherige, oder warten Sie, bis es abläuft.',
    WORKSPACE_IS_GENERAL: 'Der Arbeitsbereich General kann nicht umbenannt oder gelöscht werden.',
    WORKSPACE_NOT_EMPTY: 'Dieser Arbeitsbereich enthält Umschläge und kann daher nicht gelöscht werden.',
    WORKSPACE_NAME_TAKEN: 'Ein Arbeitsbereich mit diesem Namen existiert bereits.',
    EMAIL_TAKEN: 'Eine Person mit dieser E-Mail-Adresse hat bereits Zugriff oder ist eingeladen.',
    LAST_ADMIN: 'Das ist der letzte Admin, der sich anmelden kann. Machen Sie zuerst eine andere Person zum Admin.',
    PASSWORD_WRONG: 'Ihr aktuelles Passwort ist nicht richtig.',
    PASSWORD_TOO_WEAK:
      'Dieses Passwort ist zu leicht zu erraten. Verwenden Sie ein längeres, das nichts mit Ihnen zu tun hat, etwa vier Wörter ohne Zusammenhang.',
    QUOTA_EXCEEDED:
      'Das Kontingent Ihrer Organisation ist ausgeschöpft. Versuchen Sie es später erneut, oder wenden Sie sich an den Betreiber dieser Installation.',
  },
}
