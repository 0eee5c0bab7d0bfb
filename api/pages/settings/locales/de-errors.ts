// The panel’s errors in German, by code.
import type { enErrors } from './en-errors.ts'

export const deErrors: typeof enErrors = {
  forbidden: 'Das dürfen Sie nicht. Ein Admin Ihrer Organisation kann es tun.',
  byCode: {
    VALIDATION_FAILED: 'Etwas in den Angaben passt nicht.',
    INVALID_STATUS: 'Einen solchen Status gibt es nicht.',
    PAGE_TOO_DEEP: 'So weit zurück wird nicht geblättert. Bitte grenzen Sie die Suche ein.',
    CSRF_TOKEN_INVALID: 'Ihre Sitzung hat sich geändert, vielleicht in einem anderen Tab. Bitte laden Sie die Seite neu.',
    PASSWORD_SIGN_IN_OFF: 'Hier meldet sich niemand mehr mit einem Passwort an. Bitte laden Sie die Seite neu.',
    ORGANISATION_NOT_FOUND: 'Diese Organisation gibt es nicht mehr.',
    ENVELOPE_NOT_FOUND: 'Diesen Umschlag gibt es nicht, oder er liegt in einem Arbeitsbereich, den Sie nicht sehen können.',
    ENVELOPE_CANNOT_BE_HELD:
      'Nur ein verschickter Umschlag, der seine Dokumente noch hat, kann vor dem Löschen geschützt werden.',
    WORKSPACE_NOT_FOUND: 'Diesen Arbeitsbereich gibt es nicht mehr. Bitte laden Sie die Seite neu.',
    CREDENTIAL_NOT_FOUND: 'Diese Zugangsdaten gibt es nicht mehr. Bitte laden Sie die Seite neu.',
    PERSON_NOT_FOUND: 'Diese Person gibt es nicht mehr. Bitte laden Sie die Seite neu.',
    SIGNING_KEY_NOT_FOUND: 'Diesen Siegelschlüssel gibt es nicht mehr. Bitte laden Sie die Seite neu.',
    SETUP_LINK_NOT_FOUND: 'Der Link wurde schon benutzt, durch einen neueren ersetzt, oder seine Zeit ist abgelaufen.',
    CREDENTIAL_WITHOUT_SECRET: 'Dieser Client bekommt seine Tokens von einem anderen Aussteller und hat hier kein Geheimnis.',
    CREDENTIAL_REVOKED: 'Diese Zugangsdaten wurden inzwischen gesperrt und lassen sich nicht mehr ändern.',
    SECRET_ROTATION_IN_PROGRESS:
      'Es sind schon zwei Geheimnisse gültig. Beenden Sie zuerst das vorige, oder warten Sie, bis es abgelaufen ist.',
    WORKSPACE_IS_GENERAL: 'Der Arbeitsbereich General kann weder umbenannt noch gelöscht werden.',
    WORKSPACE_NOT_EMPTY: 'In diesem Arbeitsbereich liegen Umschläge, deshalb kann er nicht gelöscht werden.',
    WORKSPACE_NAME_TAKEN: 'Ein anderer Arbeitsbereich heißt schon so.',
    EMAIL_TAKEN: 'Diese E-Mail-Adresse gehört schon jemandem, der sich anmelden kann oder eingeladen ist.',
    LAST_ADMIN:
      'Das ist der letzte Admin, der sich anmelden kann. Ohne ihn könnte niemand mehr etwas einstellen: Machen Sie zuerst jemand anderen zum Admin.',
    PASSWORD_WRONG: 'Das ist nicht Ihr bisheriges Passwort.',
    PASSWORD_TOO_WEAK:
      'Dieses Passwort ist zu leicht zu erraten. Nehmen Sie etwas Längeres, das nichts mit Ihnen zu tun hat, etwa vier Wörter ohne Zusammenhang.',
    QUOTA_EXCEEDED:
      'Das Kontingent der Organisation ist dafür aufgebraucht. Versuchen Sie es später, oder fragen Sie, wer diese Installation betreibt.',
  },
}
