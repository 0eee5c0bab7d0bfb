// The panel's error messages by code, in English. Codes without an entry get a message by their HTTP status, or are shown in another place.

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
  },
}
