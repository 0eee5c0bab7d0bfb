// Every setting of the service: environment name, format and default. The only list; README and chart are checked against it.
import { z } from 'zod'
import { certificates } from './certificates.ts'
import { atMost, durations, durationSeconds } from './duration.ts'
import {
  hasKnownSslMode,
  hasKnownTarget,
  isBucketName,
  isDatabaseUrl,
  isDecodable,
  isHost,
  isInstallationKey,
  isNamespace,
  isPlainUrl,
  isPrintableAscii,
  isRegion,
  isServerList,
  isSmtpUrl,
  MAIL_SENDER_FORM,
  readMailSender,
  SMTP_URL_FORM,
} from './forms.ts'
import { hostNames } from './host-names.ts'
import { isLoopbackHost } from './loopback.ts'
import { natsCredentials } from './nats-credentials.ts'
import { networks } from './networks.ts'
import { positive, upTo, whole } from './numbers.ts'
import { readableFile } from './readable-file.ts'
import { Secret } from './secret.ts'
import { trustedIssuers } from './trusted-issuers.ts'
import { trustedProxies } from './trusted-proxies.ts'

const text = z.string().min(1, 'must not be empty')
const url = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL', abort: true })
  // Paths are appended to it, and it is shown in logs and pages.
  .refine(isPlainUrl, 'must be a URL without user, query or fragment')
  .transform((value) => value.replace(/(?<!\/)\/+$/, ''))
// Compared exactly, because tokens repeat it. Metadata over plain HTTP can be forged, except on this machine.
const issuer = z
  .string()
  .refine((value) => URL.canParse(value) && isHttpsOrLoopback(new URL(value)), { error: 'must be an https URL', abort: true })
  // `fetch` rejects URLs with a user; OpenID Connect Discovery 1.0 (section 3) allows no query and no fragment.
  .refine(isPlainUrl, 'must be a URL without user, query or fragment')
/** No replica serves more than a million per minute; the buckets count in microseconds. */
const perMinute = whole.refine((value) => value <= 1_000_000, 'must be at most 1000000')
const port = whole.refine((value) => value <= 65_535, 'must be a port from 0 to 65535')
const flag = z.enum(['true', 'false'], { error: 'must be true or false' }).transform((value) => value === 'true')
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const
const natsUrls = text
  .refine(isServerList, 'must be nats://host:port or tls://host:port, or a comma-separated list of them')
  .refine(isDecodable, 'must have a percent-encoded user and password (a percent sign is %25)')
const region = text.refine(isRegion, 'must be a region name of letters, digits and hyphens, such as us-east-1')
const bucket = text.refine(isBucketName, 'is not a valid bucket name')
// They go into a header and into signatures: a trailing line break would only show up as a wrong key.
const s3Key = text.refine(isPrintableAscii, 'must contain only printable ASCII characters on one line')
const s3Secret = s3Key.transform((value) => new Secret(value))
const secret = text.transform((value) => new Secret(value))
const databaseUrl = text
  .refine(isDatabaseUrl, 'must look like postgres://user:password@host:5432/database')
  .refine(hasKnownSslMode, 'must have an sslmode of disable, prefer, require or verify-full')
  .refine(hasKnownTarget, 'must have a target_session_attrs of read-write, read-only, primary, standby or prefer-standby')
  .transform((value) => new Secret(value))
const smtpUrl = text.refine(isSmtpUrl, SMTP_URL_FORM).transform((value) => new Secret(value))
const installationKey = text
  .refine(isInstallationKey, 'must be 32 bytes in base64, such as the output of openssl rand -base64 32')
  .transform((value) => new Secret(value))
const namespace = text.refine(isNamespace, 'must be a Kubernetes namespace: lower-case letters, digits and hyphens, at most 63')
const sender = text.refine((value) => readMailSender(value) !== undefined, MAIL_SENDER_FORM)

interface Setting<Shape extends z.ZodType, Fallback extends string | undefined> {
  name: `SEALWRIGHT_${string}`
  shape: Shape
  fallback: Fallback
  secret: boolean
}

function setting<Shape extends z.ZodType>(name: `SEALWRIGHT_${string}`, shape: Shape): Setting<Shape, undefined>
function setting<Shape extends z.ZodType>(name: `SEALWRIGHT_${string}`, shape: Shape, fallback: string): Setting<Shape, string>
function setting<Shape extends z.ZodType>(name: `SEALWRIGHT_${string}`, shape: Shape, fallback?: string) {
  return { name, shape, fallback, secret: false }
}

/** A secret: `NAME_FILE` names a file that holds it. */
function secretSetting(name: `SEALWRIGHT_${string}`, shape: typeof secret): Setting<typeof secret, undefined> {
  return { name, shape, fallback: undefined, secret: true }
}

export const SETTINGS = {
  host: setting('SEALWRIGHT_HOST', text.refine(isHost, 'must be a host name, or an IP address without a zone'), '127.0.0.1'),
  port: setting('SEALWRIGHT_PORT', port, '8080'),
  publicUrl: setting(
    'SEALWRIGHT_PUBLIC_URL',
    url.refine((value) => new URL(value).pathname === '/', 'must not have a path: the pages are served at the root of the host'),
  ),
  trustedProxies: setting('SEALWRIGHT_TRUSTED_PROXIES', trustedProxies, '0'),
  allowedHosts: setting('SEALWRIGHT_ALLOWED_HOSTS', hostNames, ''),
  dataDir: setting('SEALWRIGHT_DATA_DIR', text, '.sealwright'),
  metricsPort: setting('SEALWRIGHT_METRICS_PORT', port, '9464'),
  logLevel: setting('SEALWRIGHT_LOG_LEVEL', z.enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(', ')}` }), 'info'),

  shutdownDrainSeconds: setting(
    'SEALWRIGHT_SHUTDOWN_DRAIN',
    durationSeconds.refine((seconds) => seconds <= 10, 'must be at most 10s'),
  ),

  installationKey: secretSetting('SEALWRIGHT_INSTALLATION_KEY', installationKey),
  previousInstallationKey: secretSetting('SEALWRIGHT_PREVIOUS_INSTALLATION_KEY', installationKey),
  databaseUrl: secretSetting('SEALWRIGHT_DATABASE_URL', databaseUrl),
  databasePool: setting('SEALWRIGHT_DATABASE_POOL', upTo(1_000), '10'),

  requireTls: setting('SEALWRIGHT_REQUIRE_TLS', flag, 'false'),

  natsUrl: setting('SEALWRIGHT_NATS_URL', natsUrls),
  natsCredsFile: setting('SEALWRIGHT_NATS_CREDS_FILE', natsCredentials),
  natsReplicas: setting(
    'SEALWRIGHT_NATS_REPLICAS',
    positive.refine((count) => count <= 5, 'must be from 1 to 5'),
    '1',
  ),
  natsMaxMessages: setting('SEALWRIGHT_NATS_MAX_MESSAGES', positive, '1000000'),
  natsDuplicateWindowSeconds: setting('SEALWRIGHT_NATS_DUPLICATE_WINDOW', durationSeconds, '120s'),

  s3Endpoint: setting('SEALWRIGHT_S3_ENDPOINT', url),
  s3PublicEndpoint: setting('SEALWRIGHT_S3_PUBLIC_ENDPOINT', url),
  s3Region: setting('SEALWRIGHT_S3_REGION', region, 'us-east-1'),
  s3Bucket: setting('SEALWRIGHT_S3_BUCKET', bucket),
  s3AccessKeyId: setting('SEALWRIGHT_S3_ACCESS_KEY_ID', s3Key),
  s3SecretAccessKey: secretSetting('SEALWRIGHT_S3_SECRET_ACCESS_KEY', s3Secret),
  s3CaFile: setting('SEALWRIGHT_S3_CA_FILE', certificates),
  s3ForcePathStyle: setting('SEALWRIGHT_S3_FORCE_PATH_STYLE', flag, 'false'),

  sealThreads: setting('SEALWRIGHT_SEAL_THREADS', upTo(256)),
  // After ten minutes in one seal `/livez` reports the role as stuck (workers/runtime/supervisor.ts).
  sealTimeoutSeconds: setting('SEALWRIGHT_SEAL_TIMEOUT', atMost(9, 'm'), '60s'),

  smtpUrl: secretSetting('SEALWRIGHT_SMTP_URL', smtpUrl),
  // False by default in a cluster, true in the embedded run.
  mailKeep: setting('SEALWRIGHT_MAIL_KEEP', flag),
  mailFrom: setting('SEALWRIGHT_MAIL_FROM', sender, 'Sealwright <no-reply@localhost>'),

  signingKeyP12File: setting('SEALWRIGHT_SIGNING_KEY_P12_FILE', readableFile),
  signingKeyP12Password: secretSetting('SEALWRIGHT_SIGNING_KEY_P12_PASSWORD', secret),

  oidcIssuer: setting('SEALWRIGHT_OIDC_ISSUER', issuer),
  oidcClientId: setting('SEALWRIGHT_OIDC_CLIENT_ID', text),
  oidcClientSecret: secretSetting('SEALWRIGHT_OIDC_CLIENT_SECRET', secret),

  accessTokenTtlSeconds: setting(
    'SEALWRIGHT_ACCESS_TOKEN_TTL',
    durationSeconds.refine((seconds) => seconds <= 300, 'must be at most 300s'),
    '300s',
  ),
  trustedTokenIssuers: setting('SEALWRIGHT_TRUSTED_TOKEN_ISSUERS', trustedIssuers, '[]'),
  otpTtlSeconds: setting('SEALWRIGHT_OTP_TTL', durationSeconds, '600s'),
  otpResendCooldownSeconds: setting('SEALWRIGHT_OTP_RESEND_COOLDOWN', durationSeconds, '60s'),
  otpMaxTries: setting('SEALWRIGHT_OTP_MAX_TRIES', upTo(1_000), '5'),
  viewDedupWindowSeconds: setting('SEALWRIGHT_VIEW_DEDUP_WINDOW', durationSeconds, '30s'),
  signingLinkTtlSeconds: setting('SEALWRIGHT_SIGNING_LINK_TTL', atMost(2_160, 'h'), '72h'),
  envelopeMinExpirySeconds: setting('SEALWRIGHT_ENVELOPE_MIN_EXPIRY', atMost(366, 'd'), '5m'),
  expirySweepIntervalSeconds: setting('SEALWRIGHT_EXPIRY_SWEEP_INTERVAL', atMost(1, 'd'), '15s'),
  unattachedUploadTtlSeconds: setting('SEALWRIGHT_UNATTACHED_UPLOAD_TTL', durationSeconds, '24h'),
  draftTtlSeconds: setting('SEALWRIGHT_DRAFT_TTL', durationSeconds, '30d'),
  sealedRetentionSeconds: setting('SEALWRIGHT_SEALED_RETENTION', durationSeconds, '365d'),
  sweepIntervalSeconds: setting('SEALWRIGHT_SWEEP_INTERVAL', atMost(1, 'd'), '60s'),
  presignedUrlTtlSeconds: setting('SEALWRIGHT_PRESIGNED_URL_TTL', atMost(7, 'd'), '3600s'),
  maxUploadBytes: setting('SEALWRIGHT_MAX_UPLOAD_BYTES', positive, '52428800'),
  refuseActiveContent: setting('SEALWRIGHT_REFUSE_ACTIVE_CONTENT', flag, 'true'),
  repairDocuments: setting('SEALWRIGHT_REPAIR_DOCUMENTS', flag, 'true'),

  webhookRetryDelaysSeconds: setting('SEALWRIGHT_WEBHOOK_RETRY_DELAYS', durations, '1m,5m,30m,2h,12h'),
  webhookTimeoutSeconds: setting('SEALWRIGHT_WEBHOOK_TIMEOUT', atMost(5, 'm'), '15s'),
  webhookConnectTimeoutSeconds: setting('SEALWRIGHT_WEBHOOK_CONNECT_TIMEOUT', atMost(5, 'm'), '5s'),
  webhookDisableAfter: setting('SEALWRIGHT_WEBHOOK_DISABLE_AFTER', upTo(1_000), '3'),
  webhookProbeIntervalSeconds: setting('SEALWRIGHT_WEBHOOK_PROBE_INTERVAL', atMost(366, 'd'), '6h'),
  webhookSecretGraceSeconds: setting('SEALWRIGHT_WEBHOOK_SECRET_GRACE', atMost(366, 'd'), '24h'),
  webhookHistorySeconds: setting('SEALWRIGHT_WEBHOOK_HISTORY', atMost(3_650, 'd'), '90d'),
  webhookMaxPerOrg: setting('SEALWRIGHT_WEBHOOK_MAX_PER_ORG', upTo(1_000), '20'),
  webhookAllowedCidrs: setting('SEALWRIGHT_WEBHOOK_ALLOWED_CIDRS', networks, ''),
  webhookDeniedCidrs: setting('SEALWRIGHT_WEBHOOK_DENIED_CIDRS', networks, ''),
  webhookCaFile: setting('SEALWRIGHT_WEBHOOK_CA_FILE', certificates),

  kubeconfig: setting('SEALWRIGHT_KUBECONFIG', readableFile),
  kubeNamespace: setting('SEALWRIGHT_KUBE_NAMESPACE', namespace),
  kubeKeysNamespace: setting('SEALWRIGHT_KUBE_KEYS_NAMESPACE', namespace),
  kubeDeployment: setting('SEALWRIGHT_KUBE_DEPLOYMENT', text),
  mirrorSweepIntervalSeconds: setting('SEALWRIGHT_MIRROR_SWEEP_INTERVAL', atMost(1, 'd'), '10m'),
  mirrorMax: setting('SEALWRIGHT_MIRROR_MAX', upTo(1_000_000), '20000'),
  mirrorWritesPerSecond: setting('SEALWRIGHT_MIRROR_WRITES_PER_SECOND', upTo(1_000), '50'),
  leaseDurationSeconds: setting('SEALWRIGHT_LEASE_DURATION', atMost(1, 'h'), '15s'),
  leaseRenewDeadlineSeconds: setting('SEALWRIGHT_LEASE_RENEW_DEADLINE', atMost(1, 'h'), '10s'),
  leaseRetryPeriodSeconds: setting('SEALWRIGHT_LEASE_RETRY_PERIOD', atMost(1, 'h'), '2s'),
  // False by default in a cluster, true in the runs on one machine.
  allowSelfSignedKeys: setting('SEALWRIGHT_ALLOW_SELF_SIGNED_KEYS', flag),

  quotaStorageBytes: setting('SEALWRIGHT_QUOTA_STORAGE_BYTES', whole, '10737418240'),
  quotaEnvelopesSentPerDay: setting('SEALWRIGHT_QUOTA_ENVELOPES_SENT_PER_DAY', whole, '1000'),
  quotaOpenEnvelopes: setting('SEALWRIGHT_QUOTA_OPEN_ENVELOPES', whole, '10000'),
  quotaEmailsPerHour: setting('SEALWRIGHT_QUOTA_EMAILS_PER_HOUR', whole, '1000'),
  quotaApiRequestsPerMinute: setting('SEALWRIGHT_QUOTA_API_REQUESTS_PER_MINUTE', perMinute, '600'),

  rateUploadsPerMinute: setting('SEALWRIGHT_RATE_UPLOADS_PER_MINUTE', perMinute, '60'),
  rateTokenPerMinute: setting('SEALWRIGHT_RATE_TOKEN_PER_MINUTE', perMinute, '30'),
  rateCeremonyPerTokenPerMinute: setting('SEALWRIGHT_RATE_CEREMONY_PER_TOKEN_PER_MINUTE', perMinute, '60'),
  rateCeremonyPerAddressPerMinute: setting('SEALWRIGHT_RATE_CEREMONY_PER_ADDRESS_PER_MINUTE', perMinute, '300'),
  rateVerifyPerMinute: setting('SEALWRIGHT_RATE_VERIFY_PER_MINUTE', perMinute, '30'),
} as const

/** Settings of features that this version does not have; named at start, so that they are not assumed to work. */
export const SETTINGS_WITHOUT_EFFECT = ['SEALWRIGHT_TSA_URL'] as const

type Value<Entry> =
  Entry extends Setting<infer Shape, infer Fallback>
    ? Fallback extends string
      ? z.output<Shape>
      : z.output<Shape> | undefined
    : never

/** The environment variables of a process; an empty variable counts as unset. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The settings as the code reads them. */
export type Settings = { [Key in keyof typeof SETTINGS]: Value<(typeof SETTINGS)[Key]> }

function isHttpsOrLoopback({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname))
}
