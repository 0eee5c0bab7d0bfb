// Every error that can prevent a start, and what the process then does. The table in docs/operations.md is checked against it.

/** `ends`: with exit code 1, since waiting cannot fix it; `waits`: until it is fixed, without serving; `goes on`: without the dependency, and retries
 *  it. */
export type Consequence = 'ends' | 'waits' | 'goes on'

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

/** Every error of a dependency. Errors in the settings themselves are all reported at once, before any dependency is opened, and end the process. */
export const STARTUP_ERRORS = {
  DATABASE_UNREACHABLE: { settings: DATABASE, what: 'no answer, still starting, no connection left', consequence: 'waits' },
  DATABASE_NOT_MIGRATED: { settings: DATABASE, what: 'migrations have not run', consequence: 'waits' },
  DATABASE_READ_ONLY: { settings: DATABASE, what: 'a standby, or default_transaction_read_only', consequence: 'waits' },
  DATABASE_REFUSED: {
    settings: DATABASE,
    what: 'wrong password, user not let in, TLS wanted or not offered, no such database',
    consequence: 'ends',
  },
  DATABASE_RIGHTS: { settings: DATABASE, what: 'the user lacks rights, or the roles theirs', consequence: 'ends' },
  DATABASE_UNFIT: {
    settings: DATABASE,
    what: 'Postgres before 15, an encoding other than UTF8, a schema newer than this version',
    consequence: 'ends',
  },
  INSTALLATION_KEY: {
    settings: 'SEALWRIGHT_INSTALLATION_KEY',
    what: 'another key than the one with which the database was set up',
    consequence: 'ends',
  },
  NATS_UNREACHABLE: { settings: NATS, what: 'no answer, no leader, no room', consequence: 'goes on' },
  NATS_REFUSED: {
    settings: `${NATS}, _CREDS_FILE`,
    what: 'wrong credentials, unreadable file, certificate not trusted',
    consequence: 'ends',
  },
  NATS_WITHOUT_STREAMS: { settings: NATS, what: 'no JetStream, or no right to it', consequence: 'ends' },
  NATS_STREAM: {
    settings: 'SEALWRIGHT_NATS_REPLICAS, _MAX_MESSAGES, _DUPLICATE_WINDOW',
    what: 'a stream of somebody else, or one that cannot be made or changed to these limits',
    consequence: 'ends',
  },
  NATS_CONSUMER: {
    settings: NATS,
    what: 'a consumer that somebody replaced, or that cannot be made because another one takes its hints',
    consequence: 'ends',
  },
  STORE_UNREACHABLE: { settings: S3, what: 'no answer, busy, broken', consequence: 'goes on' },
  STORE_FULL: { settings: `${S3}, SEALWRIGHT_DATA_DIR`, what: 'no space left', consequence: 'goes on' },
  STORE_UNTRUSTED: { settings: 'SEALWRIGHT_S3_CA_FILE', what: 'certificate not trusted', consequence: 'ends' },
  STORE_DENIED: { settings: `${S3}, SEALWRIGHT_DATA_DIR`, what: 'wrong key or secret, missing right', consequence: 'ends' },
  STORE_UNFIT: {
    settings: `${S3}, SEALWRIGHT_DATA_DIR`,
    what: 'no such bucket, another region, clocks apart, no conditional writes, a file system that does not keep files',
    consequence: 'ends',
  },
  STORE_OF_OTHERS: {
    settings: `${S3}, SEALWRIGHT_DATA_DIR`,
    what: 'another store than the one in which the installation keeps its documents',
    consequence: 'ends',
  },
  SMTP_UNAVAILABLE: { settings: SMTP, what: 'no answer, wrong password, certificate not trusted', consequence: 'goes on' },
  SIGNING_KEY: {
    settings: 'SEALWRIGHT_SIGNING_KEY_P12_FILE, _PASSWORD',
    what: 'missing or unreadable file, wrong password, certificate not in date, unfit key',
    consequence: 'ends',
  },
} as const satisfies Readonly<Record<string, Kind>>

export type StartupErrorKind = keyof typeof STARTUP_ERRORS

/** A dependency that cannot be used, in one sentence that names the setting to check and holds no secret. */
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
