// What an error code of the panel's interface means to the person who works with it. Codes that are shown where they arise, and those of the
// page's own faults, have none here and fall back to what their status means.

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
  },
}
