// The catalogue of errors: for each code its kind, its sentence and, below, what to do. HTTP maps the kind to a status; docs and OpenAPI are made
// from it.

/** `invalid` 400, `forbidden` 403, `not_found` 404, `conflict` 409, `rule` 422, `limit` 429, `misdirected` 421, `unavailable` 503; the rest are HTTP's own. */
export type ErrorKind =
  | 'invalid'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'not_acceptable'
  | 'conflict'
  | 'too_large'
  | 'media_type'
  | 'misdirected'
  | 'rule'
  | 'limit'
  | 'unavailable'

interface ErrorEntry {
  kind: ErrorKind
  message: string
}

export const ERRORS = {
  VALIDATION_FAILED: { kind: 'invalid', message: 'The request is not valid.' },
  MALFORMED_JSON: { kind: 'invalid', message: 'The body is not valid JSON.' },
  INVALID_STATUS: { kind: 'invalid', message: 'The status filter contains an unknown status.' },
  PAGE_TOO_DEEP: { kind: 'invalid', message: 'The page number is too high. Narrow the filter.' },
  UNSUPPORTED_CONTENT_TYPE: { kind: 'invalid', message: 'Only application/pdf documents are accepted.' },

  PASSWORD_SIGN_IN_OFF: {
    kind: 'forbidden',
    message: 'Sign-in with a password is turned off. Use the identity provider of this installation.',
  },
  SECOND_FACTOR_REQUIRED: {
    kind: 'forbidden',
    message: 'The organisation requires a second factor. Set one up first.',
  },
  STEP_UP_REQUIRED: {
    kind: 'forbidden',
    message: 'This needs a recent proof of the second factor. Enter a code first.',
  },
  OWN_FACTOR_RESET: {
    kind: 'forbidden',
    message: 'Your own second factor cannot be reset. Remove it with a code, or ask another admin.',
  },
  CSRF_TOKEN_INVALID: {
    kind: 'forbidden',
    message: 'The CSRF token is missing or not valid. Reload the page.',
  },

  ROUTE_NOT_FOUND: { kind: 'not_found', message: 'This path does not exist.' },
  ORGANISATION_NOT_FOUND: { kind: 'not_found', message: 'The organisation was not found.' },
  ENVELOPE_NOT_FOUND: { kind: 'not_found', message: 'The envelope was not found.' },
  DOCUMENT_NOT_FOUND: { kind: 'not_found', message: 'The document was not found.' },
  WORKSPACE_NOT_FOUND: { kind: 'not_found', message: 'The workspace was not found, or envelopes cannot be created in it.' },
  SIGNING_LINK_NOT_FOUND: { kind: 'not_found', message: 'This signing link is not valid or has expired.' },
  SIGNED_COPY_NOT_AVAILABLE: { kind: 'not_found', message: 'No signed copy is available for this link.' },
  OTP_CHALLENGE_NOT_FOUND: {
    kind: 'not_found',
    message: 'The one-time code request was not found for this link. Request a new code.',
  },
  SETUP_LINK_NOT_FOUND: { kind: 'not_found', message: 'This link is not valid or was already used. Ask an admin for a new one.' },
  PERSON_NOT_FOUND: { kind: 'not_found', message: 'The person was not found in this organisation.' },
  FACTOR_NOT_SET: { kind: 'not_found', message: 'The person has no second factor.' },
  FACTOR_NOT_BEGUN: { kind: 'not_found', message: 'The set-up of a second factor was not begun.' },
  CREDENTIAL_NOT_FOUND: { kind: 'not_found', message: 'The credential was not found.' },
  WEBHOOK_NOT_FOUND: { kind: 'not_found', message: 'The webhook was not found.' },
  DELIVERY_NOT_FOUND: { kind: 'not_found', message: 'The delivery was not found, or it is older than the delivery history.' },
  SIGNING_KEY_NOT_FOUND: { kind: 'not_found', message: 'The signing key was not found.' },
  DOWNLOAD_NOT_FOUND: { kind: 'not_found', message: 'This download link is not valid or has expired.' },

  METHOD_NOT_ALLOWED: { kind: 'method_not_allowed', message: 'This path does not support this method.' },
  NOT_ACCEPTABLE: { kind: 'not_acceptable', message: 'None of the media types in Accept is available for this path.' },

  ENVELOPE_NOT_DRAFT: { kind: 'conflict', message: 'The envelope is no longer a draft.' },
  ENVELOPE_ALREADY_SENT: { kind: 'conflict', message: 'The envelope has already been sent.' },
  ENVELOPE_NOT_CANCELLABLE: { kind: 'conflict', message: 'Only an envelope that was sent and has not ended can be cancelled.' },
  ENVELOPE_CANNOT_BE_HELD: {
    kind: 'conflict',
    message: 'Only a sent envelope that still has its documents can be placed on hold.',
  },
  ENVELOPE_NOT_OPEN: { kind: 'conflict', message: 'The envelope is not open for signing.' },
  ALREADY_SIGNED: { kind: 'conflict', message: 'This signer has already signed.' },
  NOT_YOUR_TURN: { kind: 'conflict', message: 'Another signer has to sign first.' },
  IDEMPOTENCY_IN_PROGRESS: {
    kind: 'conflict',
    message: 'A request with this Idempotency-Key is still running. Try again in a moment.',
  },
  DOCUMENT_ALREADY_ATTACHED: { kind: 'conflict', message: 'The document is already attached to an envelope.' },
  CREDENTIAL_WITHOUT_SECRET: { kind: 'conflict', message: 'The client belongs to an external issuer and has no secret here.' },
  CREDENTIAL_REVOKED: { kind: 'conflict', message: 'The credential has been revoked and can no longer be changed.' },
  SECRET_ROTATION_IN_PROGRESS: {
    kind: 'conflict',
    message: 'The previous secret is still valid. Revoke it or wait until it expires.',
  },
  SECRET_ALREADY_SHOWN: { kind: 'conflict', message: 'The secret has already been shown.' },
  MANAGED_BY_KUBERNETES: { kind: 'conflict', message: 'The webhook is managed by an object in Kubernetes. Change it there.' },
  WEBHOOK_DISABLED: { kind: 'conflict', message: 'The webhook is disabled. Enable it first.' },
  DELIVERY_WITHOUT_BODY: { kind: 'conflict', message: 'The event has no body, so it cannot be sent.' },
  WORKSPACE_IS_GENERAL: { kind: 'conflict', message: 'The General workspace cannot be renamed or deleted.' },
  WORKSPACE_NOT_EMPTY: { kind: 'conflict', message: 'The workspace contains envelopes and cannot be deleted.' },
  WORKSPACE_NAME_TAKEN: { kind: 'conflict', message: 'A workspace with this name already exists.' },
  EMAIL_TAKEN: { kind: 'conflict', message: 'A person with this email address already exists or is invited.' },
  FACTOR_ALREADY_SET: { kind: 'conflict', message: 'You have a second factor. Remove it before you set up another one.' },
  LAST_ADMIN: { kind: 'conflict', message: 'The last admin who can sign in cannot be removed or become a member.' },

  PAYLOAD_TOO_LARGE: { kind: 'too_large', message: 'The body is larger than 256 KiB.' },
  UNSUPPORTED_MEDIA_TYPE: { kind: 'media_type', message: 'The body must be application/json.' },

  HOST_NOT_ALLOWED: { kind: 'misdirected', message: 'This service is not available under this host name.' },

  IDEMPOTENCY_KEY_REUSED: { kind: 'rule', message: 'This Idempotency-Key was already used for a different request.' },
  NO_SIGNERS: { kind: 'rule', message: 'An envelope needs at least one signer.' },
  NO_DOCUMENTS: { kind: 'rule', message: 'An envelope needs at least one document before it can be sent.' },
  TOO_MANY_SIGNERS: { kind: 'rule', message: 'An envelope can have at most 50 signers.' },
  TOO_MANY_DOCUMENTS: { kind: 'rule', message: 'An envelope can have at most 20 documents.' },
  DUPLICATE_SIGN_ORDER: { kind: 'rule', message: 'Two signers of an envelope cannot have the same signOrder.' },
  WEBHOOK_LIMIT_REACHED: { kind: 'rule', message: 'The organisation has the maximum number of webhooks.' },
  WEBHOOK_URL_REFUSED: { kind: 'rule', message: 'Webhooks cannot be delivered to this address.' },
  EVENT_TYPE_NOT_SUBSCRIBED: { kind: 'rule', message: 'The webhook does not receive events of this type.' },
  EXPIRY_OUT_OF_RANGE: { kind: 'rule', message: 'expiresAt must be between 5 minutes and 366 days from now.' },
  LABELS_INVALID: { kind: 'rule', message: 'The labels are not valid.' },
  DOCUMENT_TOO_LARGE: { kind: 'rule', message: 'The document is larger than the upload limit.' },
  DOCUMENT_INVALID: { kind: 'rule', message: 'The document is not a readable PDF.' },
  DOCUMENT_ENCRYPTED: { kind: 'rule', message: 'The document is encrypted. Upload it without password protection.' },
  DOCUMENT_TOO_COMPLEX: { kind: 'rule', message: 'The document is too complex to process safely.' },
  DOCUMENT_XFA: { kind: 'rule', message: 'The document is an XFA form. Print it to a plain PDF and upload that.' },
  DOCUMENT_ACTIVE_CONTENT: {
    kind: 'rule',
    message: 'The document contains scripts, actions or other content that can change what it shows.',
  },
  DOCUMENT_CHANGES_LOCKED: { kind: 'rule', message: 'The document is certified against changes and cannot be sealed.' },
  DOCUMENT_SIGNATURE_BROKEN: {
    kind: 'rule',
    message: 'A signature in the document is broken, or the document was changed after it. Upload the file as it was signed.',
  },
  VIEW_REQUIRED: { kind: 'rule', message: 'Open the documents before signing.' },
  OTP_REQUIRED: { kind: 'rule', message: 'Enter the one-time code first.' },
  OTP_NOT_REQUIRED: { kind: 'rule', message: 'This envelope does not require a one-time code.' },
  PASSWORD_WRONG: { kind: 'rule', message: 'The current password is incorrect.' },
  FACTOR_CODE_WRONG: { kind: 'rule', message: 'The code is wrong, out of date, or was used before.' },
  PASSWORD_TOO_WEAK: { kind: 'rule', message: 'The password is too easy to guess.' },
  SIGNATURE_IMAGE_INVALID: { kind: 'rule', message: 'The signature image is not a valid PNG.' },

  QUOTA_EXCEEDED: { kind: 'limit', message: "The organisation's quota is used up." },
  RATE_LIMITED: { kind: 'limit', message: 'Too many requests. Try again later.' },
  OTP_SEND_LIMIT: { kind: 'limit', message: 'No more codes can be sent for this link right now. Try again later.' },
  OTP_PAUSED: { kind: 'limit', message: 'Too many incorrect codes. This link is locked for up to an hour.' },

  SERVICE_UNAVAILABLE: { kind: 'unavailable', message: 'The service is temporarily unavailable. Try again.' },
} as const satisfies Record<string, ErrorEntry>

export type ErrorCode = keyof typeof ERRORS

const CORRECT = 'Correct the request. The message names the field.'
const UPLOAD = 'Use another file. The same one will be rejected again.'

/** One entry for every code: the compiler reports a missing one. */
export const ADVICE: Record<ErrorCode, string> = {
  VALIDATION_FAILED: CORRECT,
  MALFORMED_JSON: 'Send well-formed JSON in UTF-8.',
  INVALID_STATUS: 'Use one or more of the statuses in the description of the operation, in capitals, separated by commas.',
  PAGE_TOO_DEEP: 'Narrow the filter, for example with fromDate and toDate.',
  UNSUPPORTED_CONTENT_TYPE: 'Send the part with `Content-Type: application/pdf`.',
  CSRF_TOKEN_INVALID: 'Get the csrfToken from `GET /settings/api/session` and send it in `X-CSRF-Token`.',
  ROUTE_NOT_FOUND: 'Check the path against this page.',
  ORGANISATION_NOT_FOUND: 'Leave out orgId. The token determines the organisation.',
  ENVELOPE_NOT_FOUND: 'Check the id, and check that the credential has a role in the workspace of the envelope.',
  DOCUMENT_NOT_FOUND: 'Upload the file again. Standalone uploads are deleted after 24 hours.',
  WORKSPACE_NOT_FOUND: 'Use a workspace from listWorkspaces in which the credential has `envelope:create`.',
  SIGNING_LINK_NOT_FOUND:
    'The link has expired or was cancelled, or an earlier signer has not signed yet. The sender can send a new envelope.',
  SIGNED_COPY_NOT_AVAILABLE: 'Wait until all signers have signed. Use the link that was used to sign.',
  OTP_CHALLENGE_NOT_FOUND: 'Use the challengeId that request-otp returned for this link.',
  PERSON_NOT_FOUND: 'Get the current list of people.',
  CREDENTIAL_NOT_FOUND: 'Get the current list of credentials.',
  WEBHOOK_NOT_FOUND: 'Get the current list of webhooks.',
  DELIVERY_NOT_FOUND: 'Get the current delivery history.',
  SIGNING_KEY_NOT_FOUND: 'Get the current list of signing keys.',
  DOWNLOAD_NOT_FOUND: 'Request a new presigned URL. Each is valid for 1 hour.',
  METHOD_NOT_ALLOWED: 'Use a method from the header `Allow`.',
  NOT_ACCEPTABLE: 'Accept one of the media types of the operation.',
  ENVELOPE_NOT_DRAFT: 'Create a new envelope. A sent envelope cannot be changed.',
  ENVELOPE_ALREADY_SENT: 'Nothing to do: an earlier request sent the envelope.',
  ENVELOPE_NOT_CANCELLABLE:
    'Read the status. Delete a draft instead; a completed, cancelled or expired envelope cannot be cancelled.',
  ENVELOPE_NOT_OPEN: 'The envelope was completed or cancelled, or it has expired.',
  ALREADY_SIGNED: 'Nothing to do. Get the signed copy.',
  NOT_YOUR_TURN: 'Wait for the email. It is sent when the previous signer has signed.',
  DOCUMENT_ALREADY_ATTACHED: 'Upload the file again. An upload can be attached to one envelope only.',
  PAYLOAD_TOO_LARGE: 'Send at most 256 KiB of JSON (2 MiB for a signature).',
  UNSUPPORTED_MEDIA_TYPE: 'Send `Content-Type: application/json`.',
  HOST_NOT_ALLOWED:
    'Use the public address of the service. An operator can allow other host names with the setting SEALWRIGHT_ALLOWED_HOSTS.',
  NO_SIGNERS: 'Add at least one signer.',
  NO_DOCUMENTS: 'Attach a document before sending.',
  TOO_MANY_SIGNERS: 'Use several envelopes.',
  TOO_MANY_DOCUMENTS: 'Merge the files, or use several envelopes.',
  DUPLICATE_SIGN_ORDER: 'Give each signer a different signOrder, or leave it out.',
  EXPIRY_OUT_OF_RANGE: 'Choose a time 5 minutes to 366 days ahead.',
  LABELS_INVALID: 'The message names the label and the rule. See Labels and lists.',
  DOCUMENT_TOO_LARGE: UPLOAD,
  DOCUMENT_INVALID: UPLOAD,
  DOCUMENT_ENCRYPTED: 'Save the file without a password.',
  DOCUMENT_TOO_COMPLEX: 'Print the file to a new PDF first.',
  DOCUMENT_XFA: 'Print the file to a new PDF first.',
  DOCUMENT_ACTIVE_CONTENT:
    'Print the file to a new PDF first; the chapter "Documents that are accepted" lists what is refused. The installation can allow it.',
  DOCUMENT_CHANGES_LOCKED: 'Ask the author for a version that allows signatures.',
  DOCUMENT_SIGNATURE_BROKEN:
    'Upload the file as it was signed, or a version without signatures. The message says what was changed.',
  VIEW_REQUIRED: 'Call view-opened when the signer has the documents on screen.',
  OTP_REQUIRED: 'Request a code and verify it, then continue. Or sign with `otpCode` and its `challengeId`.',
  OTP_NOT_REQUIRED: 'Continue without a code.',
  SIGNATURE_IMAGE_INVALID: 'Send a PNG within the limits of the field.',
  QUOTA_EXCEEDED: 'Wait for `Retry-After`, or ask for a larger quota. `quota` in the body says which one and how much is used.',
  RATE_LIMITED: 'Wait for `Retry-After` and repeat. The request had no effect.',
  OTP_SEND_LIMIT: 'Wait for `Retry-After`. A link can request 5 codes per hour and 10 per day.',
  OTP_PAUSED: 'Wait for `Retry-After`. After 15 wrong codes in an hour, the link is locked for an hour.',
  CREDENTIAL_WITHOUT_SECRET: 'Change the secret at the issuer of its tokens.',
  CREDENTIAL_REVOKED: 'Create a new credential.',
  SECRET_ROTATION_IN_PROGRESS: 'Switch to the newest secret. The older one expires at the time given in the message.',
  SECRET_ALREADY_SHOWN: 'If it is lost, rotate the secret.',
  MANAGED_BY_KUBERNETES: 'Change the `WebhookSubscription` object of the webhook.',
  WEBHOOK_DISABLED: 'Enable the webhook, then send again.',
  DELIVERY_WITHOUT_BODY: 'Read the envelope instead. The `reason` of the delivery says why the body could not be built.',
  WEBHOOK_LIMIT_REACHED: 'Delete a webhook that is no longer used.',
  WEBHOOK_URL_REFUSED: 'The message gives the reason. Use an HTTPS address that is reachable from the internet.',
  EVENT_TYPE_NOT_SUBSCRIBED: 'Use one of the event types of the webhook, or leave out eventType.',
  EMAIL_TAKEN: 'Nothing to do. If the person has lost the invitation, send a new link.',
  ENVELOPE_CANNOT_BE_HELD: 'The message gives the reason. Documents that are already deleted cannot be kept.',
  IDEMPOTENCY_IN_PROGRESS: 'The first request with this key is still running. Repeat in a moment.',
  IDEMPOTENCY_KEY_REUSED: 'Use a new key for a new request.',
  LAST_ADMIN: 'Make someone else an admin first. An invited person counts only after signing in.',
  PASSWORD_SIGN_IN_OFF: 'Sign in with your organisation’s identity provider.',
  SECOND_FACTOR_REQUIRED: 'Set up a second factor with `POST /settings/api/factor`.',
  STEP_UP_REQUIRED:
    'Send a code to `POST /settings/api/session/step-up`, then repeat the request. The proof lasts for 15 minutes.',
  OWN_FACTOR_RESET:
    'Remove it with `DELETE /settings/api/factor` and a code. Without a code, another admin or the operator resets it.',
  FACTOR_NOT_SET: 'Nothing to do.',
  FACTOR_NOT_BEGUN: 'Begin with `POST /settings/api/factor`.',
  FACTOR_ALREADY_SET: 'Remove the second factor with a code first.',
  FACTOR_CODE_WRONG:
    'Wait for the next code of the app, which appears after at most 30 seconds, and check the clock of the device.',
  PASSWORD_TOO_WEAK: 'Choose a longer password, or several words.',
  PASSWORD_WRONG: 'Enter the current password again. If you have forgotten it, ask an admin for a new link.',
  SETUP_LINK_NOT_FOUND: 'Ask an admin for a new link.',
  WORKSPACE_IS_GENERAL: 'Choose another workspace.',
  WORKSPACE_NAME_TAKEN: 'Choose another name.',
  WORKSPACE_NOT_EMPTY: 'A workspace with envelopes cannot be deleted.',
  SERVICE_UNAVAILABLE: 'Wait for `Retry-After` and repeat. The request had no effect.',
}
