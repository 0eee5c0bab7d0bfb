// Start-up errors and what the process does about each. A test compares the table in docs/outages.md with this list.

/** `exits` with code 1, because waiting cannot help; `waits` until the dependency works and serves nothing; `continues` without it and retries. */
export type Consequence = 'exits' | 'waits' | 'continues'

interface Kind {
  /** The settings to check. */
  settings: string
  what: string
  consequence: Consequence
}

const DATABASE = 'SEALWRIGHT_DATABASE_URL'
const NATS = 'SEALWRIGHT_NATS_URL'
const S3 = 'SEALWRIGHT_S3_*'
const SMTP = 'SEALWRIGHT_SMTP_URL'

/** Errors of dependencies. Invalid settings are reported before, all at once, and the process exits. */
export const STARTUP_ERRORS = {
  DATABASE_UNREACHABLE: { settings: DATABASE, what: 'no answer, still starting, too many connections', consequence: 'waits' },
  DATABASE_NOT_MIGRATED: { settings: DATABASE, what: 'migrations are missing', consequence: 'waits' },
  DATABASE_READ_ONLY: { settings: DATABASE, what: 'a standby, or default_transaction_read_only is on', consequence: 'waits' },
  DATABASE_REFUSED: {
    settings: DATABASE,
    what: 'wrong password, user not permitted, TLS required or not offered, unknown database',
    consequence: 'exits',
  },
  DATABASE_RIGHTS: { settings: DATABASE, what: 'missing privileges of the user or of the two roles', consequence: 'exits' },
  DATABASE_UNFIT: {
    settings: DATABASE,
    what: 'Postgres older than 15, encoding other than UTF8, schema too new for this version',
    consequence: 'exits',
  },
  DRIVER: {
    settings: 'none',
    what: 'the package postgres lacks its corrections (npm ci --ignore-scripts)',
    consequence: 'exits',
  },
  INSTALLATION_KEY: {
    settings: 'SEALWRIGHT_INSTALLATION_KEY, SEALWRIGHT_PREVIOUS_INSTALLATION_KEY',
    what: 'neither is the key that the database names',
    consequence: 'exits',
  },
  NATS_UNREACHABLE: { settings: NATS, what: 'no answer, no leader, storage full', consequence: 'continues' },
  NATS_REFUSED: {
    settings: `${NATS}, _CREDS_FILE`,
    what: 'wrong credentials, unreadable file, certificate not trusted',
    consequence: 'exits',
  },
  NATS_WITHOUT_STREAMS: { settings: NATS, what: 'JetStream is off or not permitted', consequence: 'exits' },
  NATS_STREAM: {
    settings: 'SEALWRIGHT_NATS_REPLICAS, _MAX_MESSAGES, _DUPLICATE_WINDOW',
    what: 'the stream belongs to another application, or cannot be created or changed to these limits',
    consequence: 'exits',
  },
  NATS_CONSUMER: {
    settings: NATS,
    what: 'a consumer was replaced, or cannot be created because another one receives the same messages',
    consequence: 'exits',
  },
  STORE_UNREACHABLE: { settings: S3, what: 'no answer, overloaded, internal errors', consequence: 'continues' },
  STORE_FULL: { settings: `${S3}, SEALWRIGHT_DATA_DIR`, what: 'no space left', consequence: 'continues' },
  STORE_UNTRUSTED: { settings: 'SEALWRIGHT_S3_CA_FILE', what: 'certificate not trusted', consequence: 'exits' },
  STORE_DENIED: {
    settings: `${S3}, SEALWRIGHT_DATA_DIR`,
    what: 'wrong access key or secret, missing permission',
    consequence: 'exits',
  },
  STORE_UNFIT: {
    settings: `${S3}, SEALWRIGHT_DATA_DIR`,
    what: 'unknown bucket, wrong region, clock skew, no conditional writes, a file system that loses files',
    consequence: 'exits',
  },
  STORE_OF_OTHERS: {
    settings: `${S3}, SEALWRIGHT_DATA_DIR`,
    what: 'not the store that holds the documents of the installation',
    consequence: 'exits',
  },
  SMTP_UNAVAILABLE: { settings: SMTP, what: 'no answer, wrong password, certificate not trusted', consequence: 'continues' },
  SIGNING_KEY: {
    settings: 'SEALWRIGHT_SIGNING_KEY_P12_FILE, _PASSWORD',
    what: 'missing or unreadable file, wrong password, expired or not yet valid certificate, unsuitable key',
    consequence: 'exits',
  },
  KUBERNETES_CONFIG: {
    settings: 'SEALWRIGHT_KUBECONFIG',
    what: 'unreadable file, no current context, a way to sign in that is not supported',
    consequence: 'exits',
  },
} as const satisfies Readonly<Record<string, Kind>>

export type StartupErrorKind = keyof typeof STARTUP_ERRORS

/** A dependency that cannot be used: one sentence that names the setting to check and contains no secret. */
export class StartupError extends Error {
  override readonly name = 'StartupError'
  readonly kind: StartupErrorKind

  constructor(kind: StartupErrorKind, sentence: string, cause?: unknown) {
    super(sentence, cause === undefined ? undefined : { cause })
    this.kind = kind
  }

  get consequence(): Consequence {
    return STARTUP_ERRORS[this.kind].consequence
  }
}
