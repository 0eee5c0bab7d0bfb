// What an error code of the panel's interface means to the person who works with it, in both languages. Codes that are shown where they arise,
// and those of the page's own faults, have none here and fall back to what their status means.
import type { ErrorCode } from '../../../schemas/error.ts'

type ByCode = Partial<Record<ErrorCode, string>>

export const enErrors = {
  forbidden: 'You may not do this. An admin of your organisation can.',
  byCode: {
    VALIDATION_FAILED: 'Something in the form does not fit.',
    INVALID_STATUS: 'There is no such status to filter by.',
    PAGE_TOO_DEEP: 'Pages this far back are not shown. Please narrow the search.',
    CSRF_TOKEN_INVALID: 'Your session has changed, perhaps in another tab. Please load the page again.',
    PASSWORD_SIGN_IN_OFF: 'Nobody signs in with a password here any more. Please load the page again.',
    ORGANISATION_NOT_FOUND: 'This organisation is gone.',
    ENVELOPE_NOT_FOUND: 'There is no such envelope, or it is in a workspace you can’t see.',
    ENVELOPE_CANNOT_BE_HELD: 'Only an envelope that was sent and still has its documents can be held.',
    WORKSPACE_NOT_FOUND: 'This workspace is gone. Please load the page again.',
    CREDENTIAL_NOT_FOUND: 'This credential is gone. Please load the page again.',
    PERSON_NOT_FOUND: 'This person is gone. Please load the page again.',
    SIGNING_KEY_NOT_FOUND: 'This signing key is gone. Please load the page again.',
    SETUP_LINK_NOT_FOUND: 'The link was used already, replaced by a newer one, or its time ran out.',
    CREDENTIAL_WITHOUT_SECRET: 'This client gets its tokens from another issuer; it has no secret here.',
    CREDENTIAL_REVOKED: 'This credential was revoked in the meantime and can’t be changed any more.',
    SECRET_ROTATION_IN_PROGRESS: 'Two secrets are valid already. End the previous one first, or wait until its time is over.',
    WORKSPACE_IS_GENERAL: 'The General workspace can be neither renamed nor deleted.',
    WORKSPACE_NOT_EMPTY: 'There are envelopes in this workspace, so it can’t be deleted.',
    WORKSPACE_NAME_TAKEN: 'Another workspace has this name already.',
    EMAIL_TAKEN: 'This mail address belongs to somebody who can sign in already, or is invited.',
    LAST_ADMIN:
      'This is the last admin who can sign in. Without one, nobody could change the settings: make somebody else an admin first.',
    PASSWORD_WRONG: 'This is not your current password.',
    PASSWORD_TOO_WEAK:
      'This password is too easy to guess. Take something longer that is not about you, such as four words that don’t belong together.',
    QUOTA_EXCEEDED:
      'The organisation’s quota for this is used up. Please try again later, or ask whoever runs this installation.',
  } satisfies ByCode,
}

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
