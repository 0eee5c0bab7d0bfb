// The records of the panel's interface as they come over the wire.

export const PERMISSIONS = ['envelope:read', 'envelope:create', 'envelope:send', 'envelope:cancel', 'document:download'] as const
export type Permission = (typeof PERMISSIONS)[number]

export interface QuotaUse {
  dimension: string
  /** 0: no limit. */
  limit: number
  current: number
}

export interface Organisation {
  id: string
  name: string
  locale: 'en' | 'de'
  /** Null: as the installation is set. */
  retentionDays: number | null
  quotas: QuotaUse[]
}

export const ENVELOPE_STATUSES = ['DRAFT', 'SENT', 'IN_PROGRESS', 'COMPLETED', 'CANCELLED', 'EXPIRED'] as const
export type EnvelopeStatus = (typeof ENVELOPE_STATUSES)[number]

export interface EnvelopeStats {
  draft: number
  sent: number
  inProgress: number
  completed: number
  cancelled: number
  expired: number
}

export interface Signer {
  id: string
  email: string
  name: string
  signOrder: number
  status: 'PENDING' | 'SENT' | 'VIEWED' | 'SIGNED' | 'EXPIRED' | 'CANCELLED' | 'DECLINED'
  signedAt: string | null
}

export interface Envelope {
  id: string
  title: string
  status: EnvelopeStatus
  createdAt: string
  createdBy: string | null
  expiresAt: string | null
  documentCount: number
  labels: Record<string, string>
  message: string | null
  otpRequired: boolean
  sequentialSigning: boolean
  signers: Signer[]
  workspaceId: string
  workspaceName: string
}

export interface Page<Item> {
  content: Item[]
  page: number
  size: number
  totalElements: number
  totalPages: number
  /** There are more than are counted. */
  totalCapped?: boolean
}

export interface EnvelopeDocument {
  id: string
  filename: string
  /** Null where the permission to download is missing. */
  downloadUrl: string | null
  /** Null also until it is sealed. */
  signedUrl: string | null
}

export type AuditActor =
  | { kind: 'credential'; clientId: string }
  | { kind: 'person'; personId: string; email: string }
  | { kind: 'signer'; signerId: string; name: string; email: string }
  | { kind: 'system' }

export interface AuditEvent {
  seq: number
  at: string
  actor: AuditActor
  action: string
  address: string | null
  userAgent: string | null
  detail: Record<string, unknown>
}

export interface AuditTrail {
  /** What came of checking the chain anew. */
  chain: { valid: boolean; rows: number; headHash: string; firstBadSeq?: number }
  events: AuditEvent[]
}

/** Something that one of the organisation's people did here. */
export interface Activity {
  id: number
  at: string
  /** Null for the operator, who works by command line. */
  person: { id: string; email: string } | null
  action: string
  detail: Record<string, unknown>
  address: string | null
}

export interface Grant {
  workspaceId: string
  permissions: Permission[]
}

export interface Credential {
  id: string
  clientId: string
  name: string
  workspaces: Grant[]
  createdAt: string
  lastUsedAt?: string
  revokedAt?: string
  /** Null for a client of an outside issuer. */
  secretLastFour: string | null
  issuer?: string
  previousSecretExpiresAt?: string
}

/** The answer that holds the secret, this once. */
export interface CredentialWithSecret extends Credential {
  clientSecret: string
}

export interface Workspace {
  id: string
  name: string
  isGeneral: boolean
  groupsReady: boolean
  createdAt: string
}

export interface Member {
  adminOrMemberId: string
  permissions: Permission[]
}

export interface Person {
  id: string
  email: string
  name: string
  role: 'ADMIN' | 'MEMBER'
  createdAt: string
  lastSignedInAt: string | null
  /** INVITED until a password was set or the person signed in. */
  state: 'INVITED' | 'ACTIVE'
  /** Of the link that sets a password, while there is one. */
  setupLinkExpiresAt: string | null
}

export interface SigningKey {
  fingerprint: string
  subject: string
  issuer: string
  algorithm: string
  notBefore: string
  notAfter: string
  origin: 'SELF_MADE' | 'IMPORTED'
  /** Seals now; the others sealed before. */
  current: boolean
  sealingSince: string
  compromisedFrom?: string
}
