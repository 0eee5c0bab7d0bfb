// The table of settings: every name with its default, and no other names.
import { readSettings } from '#core/platform/config/read-settings.ts'
import { SETTINGS, SETTINGS_WITHOUT_EFFECT } from '#core/platform/config/settings.ts'
import { describe, expect, test } from 'vitest'

const { settings } = readSettings({})
const HOUR = 3_600
const DAY = 86_400

describe('the default of', () => {
  // requirements: running/settings/*
  test.each([
    ['SEALWRIGHT_HOST', settings.host, '127.0.0.1'],
    ['SEALWRIGHT_PORT', settings.port, 8080],
    ['SEALWRIGHT_PUBLIC_URL', settings.publicUrl, undefined],
    ['SEALWRIGHT_DATA_DIR', settings.dataDir, '.sealwright'],
    ['SEALWRIGHT_DATABASE_URL', settings.databaseUrl, undefined],
    ['SEALWRIGHT_DATABASE_POOL', settings.databasePool, 10],
    ['SEALWRIGHT_INSTALLATION_KEY', settings.installationKey, undefined],
    ['SEALWRIGHT_PREVIOUS_INSTALLATION_KEY', settings.previousInstallationKey, undefined],
    ['SEALWRIGHT_TRUSTED_PROXIES', settings.trustedProxies, 0],
    ['SEALWRIGHT_ALLOWED_HOSTS', settings.allowedHosts, []],
    ['SEALWRIGHT_REQUIRE_TLS', settings.requireTls, false],
    ['SEALWRIGHT_NATS_URL', settings.natsUrl, undefined],
    ['SEALWRIGHT_NATS_CREDS_FILE', settings.natsCredsFile, undefined],
    ['SEALWRIGHT_NATS_REPLICAS', settings.natsReplicas, 1],
    ['SEALWRIGHT_NATS_MAX_MESSAGES', settings.natsMaxMessages, 1_000_000],
    ['SEALWRIGHT_NATS_DUPLICATE_WINDOW', settings.natsDuplicateWindowSeconds, 120],
    ['SEALWRIGHT_SEAL_THREADS', settings.sealThreads, undefined],
    ['SEALWRIGHT_SEAL_TIMEOUT', settings.sealTimeoutSeconds, 60],
    ['SEALWRIGHT_REFUSE_ACTIVE_CONTENT', settings.refuseActiveContent, true],
    ['SEALWRIGHT_REPAIR_DOCUMENTS', settings.repairDocuments, true],
    ['SEALWRIGHT_S3_ENDPOINT', settings.s3Endpoint, undefined],
    ['SEALWRIGHT_S3_PUBLIC_ENDPOINT', settings.s3PublicEndpoint, undefined],
    ['SEALWRIGHT_S3_REGION', settings.s3Region, 'us-east-1'],
    ['SEALWRIGHT_S3_BUCKET', settings.s3Bucket, undefined],
    ['SEALWRIGHT_S3_ACCESS_KEY_ID', settings.s3AccessKeyId, undefined],
    ['SEALWRIGHT_S3_SECRET_ACCESS_KEY', settings.s3SecretAccessKey, undefined],
    ['SEALWRIGHT_S3_FORCE_PATH_STYLE', settings.s3ForcePathStyle, false],
    ['SEALWRIGHT_S3_CA_FILE', settings.s3CaFile, undefined],
    ['SEALWRIGHT_SMTP_URL', settings.smtpUrl, undefined],
    ['SEALWRIGHT_MAIL_KEEP', settings.mailKeep, undefined],
    ['SEALWRIGHT_MAIL_FROM', settings.mailFrom, 'Sealwright <no-reply@localhost>'],
    ['SEALWRIGHT_ACCESS_TOKEN_TTL', settings.accessTokenTtlSeconds, 300],
    ['SEALWRIGHT_OTP_TTL', settings.otpTtlSeconds, 600],
    ['SEALWRIGHT_OTP_RESEND_COOLDOWN', settings.otpResendCooldownSeconds, 60],
    ['SEALWRIGHT_OTP_MAX_TRIES', settings.otpMaxTries, 5],
    ['SEALWRIGHT_VIEW_DEDUP_WINDOW', settings.viewDedupWindowSeconds, 30],
    ['SEALWRIGHT_SIGNING_LINK_TTL', settings.signingLinkTtlSeconds, 72 * HOUR],
    ['SEALWRIGHT_ENVELOPE_MIN_EXPIRY', settings.envelopeMinExpirySeconds, 300],
    ['SEALWRIGHT_EXPIRY_SWEEP_INTERVAL', settings.expirySweepIntervalSeconds, 15],
    ['SEALWRIGHT_UNATTACHED_UPLOAD_TTL', settings.unattachedUploadTtlSeconds, DAY],
    ['SEALWRIGHT_DRAFT_TTL', settings.draftTtlSeconds, 30 * DAY],
    ['SEALWRIGHT_SEALED_RETENTION', settings.sealedRetentionSeconds, 365 * DAY],
    ['SEALWRIGHT_SWEEP_INTERVAL', settings.sweepIntervalSeconds, 60],
    ['SEALWRIGHT_PRESIGNED_URL_TTL', settings.presignedUrlTtlSeconds, HOUR],
    ['SEALWRIGHT_MAX_UPLOAD_BYTES', settings.maxUploadBytes, 52_428_800],
    ['SEALWRIGHT_WEBHOOK_RETRY_DELAYS', settings.webhookRetryDelaysSeconds, [60, 300, 1_800, 2 * HOUR, 12 * HOUR]],
    ['SEALWRIGHT_WEBHOOK_TIMEOUT', settings.webhookTimeoutSeconds, 15],
    ['SEALWRIGHT_WEBHOOK_CONNECT_TIMEOUT', settings.webhookConnectTimeoutSeconds, 5],
    ['SEALWRIGHT_WEBHOOK_DISABLE_AFTER', settings.webhookDisableAfter, 3],
    ['SEALWRIGHT_WEBHOOK_PROBE_INTERVAL', settings.webhookProbeIntervalSeconds, 6 * HOUR],
    ['SEALWRIGHT_WEBHOOK_SECRET_GRACE', settings.webhookSecretGraceSeconds, DAY],
    ['SEALWRIGHT_WEBHOOK_HISTORY', settings.webhookHistorySeconds, 90 * DAY],
    ['SEALWRIGHT_WEBHOOK_MAX_PER_ORG', settings.webhookMaxPerOrg, 20],
    ['SEALWRIGHT_WEBHOOK_ALLOWED_CIDRS', settings.webhookAllowedCidrs, []],
    ['SEALWRIGHT_WEBHOOK_DENIED_CIDRS', settings.webhookDeniedCidrs, []],
    ['SEALWRIGHT_WEBHOOK_CA_FILE', settings.webhookCaFile, undefined],
    ['SEALWRIGHT_KUBECONFIG', settings.kubeconfig, undefined],
    ['SEALWRIGHT_KUBE_NAMESPACE', settings.kubeNamespace, undefined],
    ['SEALWRIGHT_KUBE_KEYS_NAMESPACE', settings.kubeKeysNamespace, undefined],
    ['SEALWRIGHT_KUBE_DEPLOYMENT', settings.kubeDeployment, undefined],
    ['SEALWRIGHT_MIRROR_SWEEP_INTERVAL', settings.mirrorSweepIntervalSeconds, 600],
    ['SEALWRIGHT_MIRROR_MAX', settings.mirrorMax, 20_000],
    ['SEALWRIGHT_MIRROR_WRITES_PER_SECOND', settings.mirrorWritesPerSecond, 50],
    ['SEALWRIGHT_LEASE_DURATION', settings.leaseDurationSeconds, 15],
    ['SEALWRIGHT_LEASE_RENEW_DEADLINE', settings.leaseRenewDeadlineSeconds, 10],
    ['SEALWRIGHT_LEASE_RETRY_PERIOD', settings.leaseRetryPeriodSeconds, 2],
    ['SEALWRIGHT_ALLOW_SELF_SIGNED_KEYS', settings.allowSelfSignedKeys, undefined],
    ['SEALWRIGHT_QUOTA_STORAGE_BYTES', settings.quotaStorageBytes, 10_737_418_240],
    ['SEALWRIGHT_QUOTA_ENVELOPES_SENT_PER_DAY', settings.quotaEnvelopesSentPerDay, 1_000],
    ['SEALWRIGHT_QUOTA_OPEN_ENVELOPES', settings.quotaOpenEnvelopes, 10_000],
    ['SEALWRIGHT_QUOTA_EMAILS_PER_HOUR', settings.quotaEmailsPerHour, 1_000],
    ['SEALWRIGHT_QUOTA_API_REQUESTS_PER_MINUTE', settings.quotaApiRequestsPerMinute, 600],
    ['SEALWRIGHT_RATE_TOKEN_PER_MINUTE', settings.rateTokenPerMinute, 30],
    ['SEALWRIGHT_RATE_CEREMONY_PER_TOKEN_PER_MINUTE', settings.rateCeremonyPerTokenPerMinute, 60],
    ['SEALWRIGHT_RATE_CEREMONY_PER_ADDRESS_PER_MINUTE', settings.rateCeremonyPerAddressPerMinute, 300],
    ['SEALWRIGHT_RATE_VERIFY_PER_MINUTE', settings.rateVerifyPerMinute, 30],
    ['SEALWRIGHT_RATE_UPLOADS_PER_MINUTE', settings.rateUploadsPerMinute, 60],
    ['SEALWRIGHT_SIGNING_KEY_P12_FILE', settings.signingKeyP12File, undefined],
    ['SEALWRIGHT_OIDC_ISSUER', settings.oidcIssuer, undefined],
    ['SEALWRIGHT_OIDC_CLIENT_ID', settings.oidcClientId, undefined],
    ['SEALWRIGHT_OIDC_CLIENT_SECRET', settings.oidcClientSecret, undefined],
    ['SEALWRIGHT_TRUSTED_TOKEN_ISSUERS', settings.trustedTokenIssuers, []],
    ['SEALWRIGHT_LOG_LEVEL', settings.logLevel, 'info'],
    ['SEALWRIGHT_SHUTDOWN_DRAIN', settings.shutdownDrainSeconds, undefined],
    ['SEALWRIGHT_METRICS_PORT', settings.metricsPort, 9464],
  ])('%s', (name, value, expected) => {
    expect(value).toEqual(expected)
    expect(Object.values(SETTINGS).map((setting) => setting.name as string)).toContain(name)
  })
})

test('a setting of a later issue is accepted and reported as such', () => {
  const later = SETTINGS_WITHOUT_EFFECT.filter((name) => !name.startsWith('SEALWRIGHT_TSA_'))
  expect(later).toEqual([])
})
