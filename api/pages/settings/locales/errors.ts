// What an error code of the panel's interface means to the person who works with it, in both languages. Codes that are shown where they arise,
// and those of the page's own faults, have none here and fall back to what their status means.
import type { ErrorCode } from '../../../schemas/error.ts'

type ByCode = Partial<Record<ErrorCode, string>>

export const enErrors = {
  forbidden: 'You don’t have permission to do this. Ask an admin of your organisation.',
  byCode: {
    VALIDATION_FAILED: 'Some of your input is not valid. Please check it.',
    INVALID_STATUS: 'This status does not exist.',
    PAGE_TOO_DEEP: 'There are too many pages. Please narrow your search.',
    CSRF_TOKEN_INVALID: 'Your session has changed, perhaps in another tab. Please reload the page.',
    PASSWORD_SIGN_IN_OFF: 'Sign-in with a password is turned off. Please reload the page.',
    ORGANISATION_NOT_FOUND: 'This organisation no longer exists.',
    ENVELOPE_NOT_FOUND: 'This envelope does not exist, or you don’t have access to its workspace.',
    ENVELOPE_CANNOT_BE_HELD: 'Only a sent envelope that still has its documents can be placed on hold.',
    WORKSPACE_NOT_FOUND: 'This workspace no longer exists. Please reload the page.',
    CREDENTIAL_NOT_FOUND: 'This credential no longer exists. Please reload the page.',
    PERSON_NOT_FOUND: 'This person no longer exists. Please reload the page.',
    SIGNING_KEY_NOT_FOUND: 'This signing key no longer exists. Please reload the page.',
    SETUP_LINK_NOT_FOUND: 'The link was already used, was replaced by a newer one, or has expired.',
    CREDENTIAL_WITHOUT_SECRET: 'This client gets its tokens from an external issuer and has no secret here.',
    CREDENTIAL_REVOKED: 'This credential has been revoked and can no longer be changed.',
    SECRET_ROTATION_IN_PROGRESS: 'Two secrets are already active. Revoke the previous one, or wait until it expires.',
    WEBHOOK_NOT_FOUND: 'This webhook no longer exists. Please reload the page.',
    DELIVERY_NOT_FOUND: 'This delivery is no longer in the history. Please reload the page.',
    SECRET_ALREADY_SHOWN: 'This secret has already been shown. If it is lost, create a new one.',
    MANAGED_BY_KUBERNETES: 'This webhook is managed in Kubernetes and can only be changed there.',
    WEBHOOK_DISABLED: 'This webhook is disabled. Enable it first.',
    DELIVERY_WITHOUT_BODY: 'The event could not be built, so it can’t be sent.',
    WEBHOOK_LIMIT_REACHED: 'Your organisation has the maximum number of webhooks. Delete one that is no longer used.',
    WEBHOOK_URL_REFUSED: 'Webhooks can’t be delivered to this address. It must use HTTPS and be reachable from the internet.',
    EVENT_TYPE_NOT_SUBSCRIBED: 'This webhook does not receive events of this type.',
    WORKSPACE_IS_GENERAL: 'The General workspace can’t be renamed or deleted.',
    WORKSPACE_NOT_EMPTY: 'This workspace contains envelopes, so it can’t be deleted.',
    WORKSPACE_NAME_TAKEN: 'A workspace with this name already exists.',
    EMAIL_TAKEN: 'A person with this email address already has access or is invited.',
    LAST_ADMIN: 'This is the last admin who can sign in. Make another person an admin first.',
    PASSWORD_WRONG: 'Your current password is incorrect.',
    PASSWORD_TOO_WEAK:
      'This password is too easy to guess. Use a longer one that is not about you, such as four unrelated words.',
    QUOTA_EXCEEDED:
      'Your organisation has reached its quota. Please try again later, or contact the operator of this installation.',
  } satisfies ByCode,
}

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
    WEBHOOK_NOT_FOUND: 'Diesen Webhook gibt es nicht mehr. Bitte laden Sie die Seite neu.',
    DELIVERY_NOT_FOUND: 'Diese Zustellung ist nicht mehr im Verlauf. Bitte laden Sie die Seite neu.',
    SECRET_ALREADY_SHOWN: 'Dieses Secret wurde bereits angezeigt. Wenn es verloren ist, erzeugen Sie ein neues.',
    MANAGED_BY_KUBERNETES: 'Dieser Webhook wird in Kubernetes verwaltet und lässt sich nur dort ändern.',
    WEBHOOK_DISABLED: 'Dieser Webhook ist deaktiviert. Aktivieren Sie ihn zuerst.',
    DELIVERY_WITHOUT_BODY: 'Der Inhalt des Ereignisses konnte nicht erzeugt werden, daher lässt es sich nicht senden.',
    WEBHOOK_LIMIT_REACHED: 'Ihre Organisation hat die Höchstzahl an Webhooks. Löschen Sie einen, der nicht mehr gebraucht wird.',
    WEBHOOK_URL_REFUSED:
      'An diese Adresse kann nicht zugestellt werden. Sie muss HTTPS verwenden und aus dem Internet erreichbar sein.',
    EVENT_TYPE_NOT_SUBSCRIBED: 'Dieser Webhook erhält keine Ereignisse dieses Typs.',
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
