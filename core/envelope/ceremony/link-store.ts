// The SQL of signing links and of views of the documents.
import type { EnvelopeId, OrgId, SignerId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import type { SignerStatus } from '#core/envelope/signer/rules.ts'
import { updateViewed } from '#core/envelope/signer/store.ts'
import type { EnvelopeState } from './rules.ts'

export interface LinkOwner {
  orgId: OrgId
  envelopeId: EnvelopeId
  signerId: SignerId
}

/** The owner of a link; the only look-up before the organisation is known. */
export async function findLinkOwner(sql: Sql, tokenHash: Buffer): Promise<LinkOwner | undefined> {
  const [row] = await sql<LinkOwner[]>`select org_id, envelope_id, signer_id from find_link_owner(${tokenHash})`
  return row
}

export interface Link {
  signerId: SignerId
  email: string
  name: string
  signOrder: number
  signerStatus: SignerStatus
  viewedAt: Date | null
  releasedAt: Date | null
  expiresAt: Date | null
  revokedAt: Date | null
  usedAt: Date | null
  otpVerifiedAt: Date | null
  otpPausedUntil: Date | null
  /** When the signer last opened the documents. */
  lastViewedAt: Date | null
}

/** A link with the envelope's state that its gates need, and the organisation that its seal names. */
export type GuardedLink = Link & EnvelopeState & { organisationName: string }

/** The link with its signer; changing it requires the envelope's row lock. */
export async function findLink(sql: Sql, orgId: OrgId, signerId: SignerId): Promise<Link | undefined> {
  const [row] = await sql<Link[]>`
    select ${linkColumns(sql)}
    from signing_links l
    join signers s on s.org_id = l.org_id and s.id = l.signer_id
    where l.org_id = ${orgId} and l.signer_id = ${signerId}`
  return row
}

/** The statement of the link and its envelope, for reads without a lock. */
export function selectGuardedLink(sql: Sql, orgId: OrgId, signerId: SignerId) {
  return sql<GuardedLink[]>`
    select ${linkColumns(sql)}, shown_status(e.status, e.lapses_at) as status, e.otp_required, sealwright_now() as now,
      o.name as organisation_name
    from signing_links l
    join signers s on s.org_id = l.org_id and s.id = l.signer_id
    join envelopes e on e.org_id = l.org_id and e.id = l.envelope_id
    join organisations o on o.id = l.org_id
    where l.org_id = ${orgId} and l.signer_id = ${signerId}`
}

/** Needs rows `l` of links and `s` of signers. */
function linkColumns(sql: Sql) {
  return sql`
    s.id as signer_id, s.email, s.name, s.sign_order, s.status as signer_status, s.viewed_at, l.released_at, l.expires_at, l.revoked_at,
      l.used_at, l.otp_verified_at, l.otp_paused_until,
      (select max(v.opened_at) from document_views v where v.org_id = l.org_id and v.signer_id = l.signer_id) as last_viewed_at`
}

export interface NewLink {
  signerId: SignerId
  envelopeId: EnvelopeId
  tokenHash: Buffer
  releasedAt: Date | null
  expiresAt: Date | null
}

export async function insertLinks(sql: Sql, orgId: OrgId, links: readonly NewLink[]): Promise<void> {
  const rows = links.map(({ signerId, envelopeId, tokenHash, releasedAt, expiresAt }) => ({
    signer: signerId,
    envelope: envelopeId,
    hash: tokenHash.toString('hex'),
    released: releasedAt?.toISOString() ?? null,
    expires: expiresAt?.toISOString() ?? null,
  }))
  await sql`
    insert into signing_links (org_id, signer_id, envelope_id, token_hash, released_at, expires_at)
    select ${orgId}::uuid, l.signer, l.envelope, decode(l.hash, 'hex'), l.released, l.expires
    from jsonb_to_recordset(${sql.json(rows)}) as l (signer uuid, envelope uuid, hash text, released timestamptz, expires timestamptz)`
}

/** The turn of these signers has come: their links are valid from now on. */
export async function releaseLinks(sql: Sql, orgId: OrgId, signerIds: readonly SignerId[], expiresAt: Date): Promise<void> {
  await sql`
    update signing_links
    set released_at = sealwright_now(), expires_at = ${expiresAt}
    where org_id = ${orgId} and signer_id = any(${sql.array([...signerIds])}::uuid[]) and released_at is null`
}

/** The expiry times of the links that can still be used to sign. */
export async function listOpenLinkExpiries(sql: Sql, orgId: OrgId, envelopeId: EnvelopeId): Promise<Date[]> {
  const rows = await sql<{ expiresAt: Date }[]>`
    select expires_at
    from signing_links
    where org_id = ${orgId} and envelope_id = ${envelopeId} and used_at is null and revoked_at is null and released_at is not null`
  return rows.map(({ expiresAt }) => expiresAt)
}

/** Revokes every link that could still be used, with the commit. */
export async function revokeOpenLinks(sql: Sql, orgId: OrgId, envelopeId: EnvelopeId): Promise<void> {
  await sql`
    update signing_links
    set revoked_at = sealwright_now()
    where org_id = ${orgId} and envelope_id = ${envelopeId} and used_at is null and revoked_at is null`
}

/** Stores the token that opens the signed copy, for each of these signers of the envelope. */
export async function setCopyTokens(
  sql: Sql,
  orgId: OrgId,
  envelopeId: EnvelopeId,
  tokens: readonly { signerId: SignerId; tokenHash: Buffer }[],
): Promise<void> {
  const rows = tokens.map(({ signerId, tokenHash }) => ({ signer: signerId, hash: tokenHash.toString('hex') }))
  await sql`
    update signing_links l
    set copy_token_hash = decode(t.hash, 'hex')
    from jsonb_to_recordset(${sql.json(rows)}) as t (signer uuid, hash text)
    where l.org_id = ${orgId} and l.envelope_id = ${envelopeId} and l.signer_id = t.signer`
}

/** Records a right code; the first one marks the envelope as viewed by the signer. */
export async function markOtpVerified(sql: Sql, orgId: OrgId, signerId: SignerId): Promise<void> {
  await sql`
    with verified as (
      update signing_links set otp_verified_at = sealwright_now() where org_id = ${orgId} and signer_id = ${signerId})
    ${updateViewed(sql, orgId, signerId)}`
}

export async function pauseCodes(sql: Sql, orgId: OrgId, signerId: SignerId, seconds: number): Promise<void> {
  await sql`
    update signing_links
    set otp_paused_until = sealwright_now() + make_interval(secs => ${seconds})
    where org_id = ${orgId} and signer_id = ${signerId}`
}

/** Opens a pair; the first one marks the envelope as viewed by the signer, unless a code has. */
export async function openView(sql: Sql, orgId: OrgId, signerId: SignerId, id: string): Promise<void> {
  await sql`
    with opened as (
      insert into document_views (org_id, id, signer_id) values (${orgId}, ${id}, ${signerId}))
    ${updateViewed(sql, orgId, signerId)}`
}

/** Closes the latest open pair; true when there was one. */
export async function closeView(sql: Sql, orgId: OrgId, signerId: SignerId, durationMs: number | null): Promise<boolean> {
  const rows = await sql`
    update document_views
    set closed_at = sealwright_now(), duration_ms = ${durationMs}
    where org_id = ${orgId} and id = (
      select id
      from document_views
      where org_id = ${orgId} and signer_id = ${signerId} and closed_at is null
      order by opened_at desc
      limit 1)
    returning id`
  return rows.length > 0
}
