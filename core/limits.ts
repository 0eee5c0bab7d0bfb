// The fixed numbers of the contract, with the unit in the name. Values that an installation may set are in config/settings.ts.
export const MAX_SIGNERS = 50
export const MAX_DOCUMENTS = 20
export const MAX_SIGN_ORDER = 999
export const MAX_TITLE_CHARACTERS = 255
export const MAX_MESSAGE_CHARACTERS = 10_000
export const MAX_NAME_CHARACTERS = 255
export const MAX_EMAIL_CHARACTERS = 254
export const MAX_FILENAME_BYTES = 255
export const MAX_LINK_TTL_HOURS = 2_160
export const MAX_EXPIRY_SECONDS = 366 * 86_400

/** Lists: deepest row (page times size), elements counted, page size, terms of the labels filter. */
export const MAX_LIST_DEPTH = 100_000
export const MAX_LIST_TOTAL = 10_000
export const MAX_PAGE_SIZE = 100
export const MAX_LABEL_TERMS = 10

export const MAX_LABELS = 50
export const MAX_LABEL_KEY_CHARACTERS = 63
export const MAX_LABEL_VALUE_CHARACTERS = 256
export const MAX_LABELS_BYTES = 16 * 1024

/** How long a verified code lets its signer read and sign. */
export const OTP_PERMISSION_SECONDS = 30 * 60
export const MAX_CODES_PER_HOUR = 5
export const MAX_CODES_PER_DAY = 10
export const MAX_OTP_FAILURES_PER_HOUR = 15
export const OTP_PAUSE_SECONDS = 3_600
export const MAX_VIEW_DURATION_MS = 86_400_000

/** How long the previous secret still gets tokens after a rotation. */
export const CREDENTIAL_SECRET_GRACE_SECONDS = 24 * 3_600
/** The range of days for which an organisation may keep its sealed files. */
export const MIN_RETENTION_DAYS = 30
export const MAX_RETENTION_DAYS = 3_650

/** How long the response to a request with an Idempotency-Key is stored for retries, and the longest key. */
export const IDEMPOTENCY_KEY_SECONDS = 86_400
export const MAX_IDEMPOTENCY_KEY_CHARACTERS = 255

/** How long the last signer's request waits for the sealed copies. */
export const SEAL_WAIT_MS = 3_000
/** An audit report waits for seals that are waiting, at most this long after it was wanted. */
export const REPORT_YIELD_SECONDS = 30
/** Failures after which a job is dead-lettered. */
export const MAX_SEAL_FAILURES = 3
export const MAX_MAIL_FAILURES = 12
/** Attempts without a recorded result after which a job of any kind is dead-lettered: it may be what kills its workers. */
export const MAX_LOST_ATTEMPTS = 5
/** How long `envelope.completed` waits for the sealed copies. */
export const COMPLETED_EVENT_HOLD_SECONDS = 15 * 60
export const EVENT_HOLD_CHECK_SECONDS = 30

/** How often the rotations of signing keys are continued. */
export const ROTATION_CHECK_SECONDS = 1

/** Deliveries in flight at a time, of a webhook and of an organisation. */
export const MAX_WEBHOOK_IN_FLIGHT = 4
export const MAX_ORGANISATION_IN_FLIGHT = 16
/** Most of those to slow webhooks, so that others have room. */
export const MAX_ORGANISATION_SLOW_IN_FLIGHT = 4
/** How long a webhook that let a delivery time out gets one at a time. */
export const WEBHOOK_SLOW_SECONDS = 300
export const MAX_WEBHOOK_URL_CHARACTERS = 2_048
export const MAX_WEBHOOK_DESCRIPTION_CHARACTERS = 255
/** How much longer than one attempt the test of a webhook waits for its result. */
export const WEBHOOK_TEST_MARGIN_MS = 3_000
/** Most deliveries of the last day that a webhook's health counts. */
export const MAX_HEALTH_DELIVERIES = 2_000
/** Events that one request sends again. */
export const MAX_REPLAYED_AT_ONCE = 10_000
/** Events are kept this much longer than the deliveries that show their bodies. */
export const EVENT_HISTORY_MARGIN_SECONDS = 2 * 86_400

/** Panel sessions, within NIST SP 800-63B-4 AAL2 (at most 1 h idle, 24 h in all): a working day and no longer. */
export const SESSION_IDLE_SECONDS = 3_600
export const SESSION_LIFETIME_SECONDS = 12 * 3_600
/** Resolution of a session's last-seen time. */
export const SESSION_SEEN_EVERY_SECONDS = 60

/** How long the proof of a second factor permits changes of keys, credentials and people in its session. */
export const FACTOR_PROOF_SECONDS = 15 * 60
/** Codes for a lost second factor, issued together. */
export const RECOVERY_CODES = 10

/** Links that set a password. */
export const SETUP_LINK_TTL_HOURS = 72
export const MIN_PASSWORD_CHARACTERS = 12
export const MAX_PASSWORD_CHARACTERS = 128

/** Wrong passwords without a penalty; each further one doubles the pause before the next try. */
export const FREE_SIGN_IN_FAILURES = { ACCOUNT: 5, DEVICE: 5, ADDRESS: 30 } as const
export const FIRST_SIGN_IN_PAUSE_SECONDS = 5
/** The longest pause: repeated failures on purpose lock an account for no longer. */
export const LONGEST_SIGN_IN_PAUSE_SECONDS = 900
/** Failures are forgotten after this time without a new one; shorter for addresses, which many people share. */
export const SIGN_IN_FAILURES_KEPT_SECONDS = { ACCOUNT: 24 * 3_600, DEVICE: 24 * 3_600, ADDRESS: 3_600 } as const
/** How long a browser is remembered after a sign-in. */
export const KNOWN_DEVICE_SECONDS = 180 * 86_400

/** How often new audit rows are added to the organisations' ledgers: about how long a row is only in its chain. */
export const LEDGER_INTERVAL_SECONDS = 5
/** An audit row carries the start time of its transaction, so the ledger may receive it this much later than newer rows. */
export const BACK_DATING_TOLERANCE_SECONDS = 600
/** `audit verify` continues after the first bad row, up to this many. */
export const MAX_BAD_ROWS = 100

/** Ages at which unread rows are deleted: emails after they were due, messages after publishing, quota windows after their start, ceremony rows after
 *  the end of the envelope. */
export const MAIL_HISTORY_SECONDS = 90 * 86_400
export const OUTBOX_HISTORY_SECONDS = 86_400
export const MIRROR_HISTORY_SECONDS = 86_400
export const QUOTA_HISTORY_SECONDS = 2 * 86_400
export const CEREMONY_HISTORY_SECONDS = 86_400
/** An object in the store that no row names is deleted after a day; listing the store is expensive. */
export const ORPHAN_AGE_SECONDS = 86_400
export const ORPHAN_INTERVAL_SECONDS = 6 * 3_600
/** How often the watermark of database and object store is raised: a restore to less than this time ago can go undetected. */
export const WATERMARK_INTERVAL_SECONDS = 60
/** How often a process reads which installation key writes. */
export const KEY_FOLLOW_SECONDS = 5
/** How often old rows are deleted; nothing depends on the exact time. */
export const HISTORY_INTERVAL_SECONDS = 600
