// A queue of envelopes waiting for their seal, copied by the server from one that went through the ceremony: each has separate rows, ids,
// secrets and an audit trail with valid hashes and MACs, so that sealing costs as much as in production. Envelopes share the stored
// originals.
import { randomUUID } from 'node:crypto'
import { type AuditContent, auditHash, auditStatement, CHAIN_START } from '#core/audit/rules.ts'
import { listAuditEvents } from '#core/audit/store.ts'
import { type EnvelopeId, type OrgId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { apiClient } from '../support/clients/api-client.ts'
import { signer } from '../support/clients/signer.ts'
import type { PipelineSystem } from './pipeline-system.ts'

/** A signed envelope of one document and one signer. */
export interface SignedEnvelope {
  envelopeId: EnvelopeId
  documentId: string
  signerId: string
  signatureId: string
}

const BATCH = 500

/** Uploads the document, and takes an envelope with it to the last signature. Needs the API; waits for a seal like any signer. */
export async function signOne(system: PipelineSystem, pdf: Buffer): Promise<SignedEnvelope> {
  const client = await apiClient(system.baseUrl, system.organisation)
  const { body: document } = await client.upload('/api/v1/documents', pdf)
  const signers = [{ name: 'Ada Lovelace', email: 'ada@example.test' }]
  const { body: envelope } = await client.post('/api/v1/envelopes', { title: 'Bench', signers, documentIds: [document.id] })
  const { body: sent } = await client.post(`/api/v1/envelopes/${envelope.id}/send`)
  const person = signer(system.baseUrl, sent.signingTokens[0].token)
  await person.viewOpened()
  const { status, body } = await person.sign()
  if (status !== 200) throw new Error(`Signing answered ${status} ${JSON.stringify(body)}.`)
  const [row] = await system.owner<{ signerId: string; signatureId: string }[]>`
    select signer_id, id as signature_id from signatures where envelope_id = ${envelope.id}`
  return { envelopeId: envelope.id, documentId: document.id, ...row! }
}

/** Uploads documents for `fillQueue` to share; returns their ids. */
export async function uploadOriginals(system: PipelineSystem, count: number, makePdf: () => Promise<Buffer>): Promise<string[]> {
  const client = await apiClient(system.baseUrl, system.organisation)
  const ids: string[] = []
  for (let index = 0; index < count; index++) {
    const { status, body } = await client.upload('/api/v1/documents', await makePdf())
    if (status !== 201) throw new Error(`The upload answered ${status} ${JSON.stringify(body)}.`)
    ids.push(body.id)
  }
  return ids
}

/** Queues `count` copies of the template, each with one of the originals, as if their last signers had just signed. */
export async function fillQueue(
  system: PipelineSystem,
  template: SignedEnvelope,
  originals: readonly string[],
  count: number,
): Promise<void> {
  const { orgId } = system.organisation
  for (let made = 0; made < count; made += BATCH) {
    const copies = Array.from({ length: Math.min(BATCH, count - made) }, (_, index) => ({
      envelopeId: randomUUID(),
      documentId: randomUUID(),
      signerId: randomUUID(),
      signatureId: randomUUID(),
      original: originals[(made + index) % originals.length]!,
    }))
    await system.owner.begin(async (sql) => {
      await sql`set local synchronous_commit = off`
      await copyRows(sql, orgId, template, copies)
      await copyTrails(sql, system, template, copies)
      await promiseSeals(sql, orgId, copies)
    })
  }
  await system.owner`analyze`
}

type Copy = Omit<SignedEnvelope, 'envelopeId'> & { envelopeId: string; original: string }

async function copyRows(sql: Sql, orgId: OrgId, template: SignedEnvelope, copies: readonly Copy[]): Promise<void> {
  const now = new Date()
  const own = (make: (copy: Copy) => object) => copies.map((copy) => ({ envelope_id: copy.envelopeId, ...make(copy) }))
  const from = (table: string, id: string, changes: object[]) => copyRow(sql, table, { orgId, id }, changes)
  await from(
    'envelopes',
    template.envelopeId,
    own(({ envelopeId }) => ({ id: envelopeId, ended_at: now })),
  )
  await from(
    'signers',
    template.signerId,
    own(({ signerId: id }) => ({ id, signed_at: now })),
  )
  await from(
    'signatures',
    template.signatureId,
    own(({ signatureId: id, signerId }) => ({ id, signer_id: signerId, signed_at: now })),
  )
  const originals = [...new Set(copies.map(({ original }) => original))]
  for (const original of originals) {
    const its = copies.filter((copy) => copy.original === original)
    await from(
      'documents',
      original,
      its.map(({ documentId: id, envelopeId }) => ({ id, envelope_id: envelopeId, position: 1 })),
    )
  }
  await sql`
    insert into signing_links (org_id, signer_id, envelope_id, token_hash, released_at, expires_at, used_at)
    select ${orgId}, c.signer_id, c.envelope_id, sha256(convert_to(c.signer_id::text, 'UTF8')), ${now}, ${now}, ${now}
    from unnest(${copies.map(({ signerId }) => signerId)}::uuid[], ${copies.map(({ envelopeId }) => envelopeId)}::uuid[]) c (signer_id, envelope_id)`
}

/** Inserts a copy of the row for each of the changes. */
async function copyRow(sql: Sql, table: string, { orgId, id }: { orgId: OrgId; id: string }, changes: object[]): Promise<void> {
  const columns = await sql<{ name: string }[]>`
    select column_name as name from information_schema.columns where table_name = ${table} and is_generated = 'NEVER'`
  const names = columns.map(({ name }) => name)
  await sql`
    insert into ${sql(table)} (${sql(names)})
    select ${sql(names.map((name) => `copy.${name}`))}
    from ${sql(table)} original, jsonb_array_elements(${JSON.stringify(changes)}::text::jsonb) change,
      lateral jsonb_populate_record(original, change) copy
    where original.org_id = ${orgId} and original.id = ${id}`
}

/** The template's trail up to the last signature, rehashed for each copy. */
async function copyTrails(sql: Sql, system: PipelineSystem, template: SignedEnvelope, copies: readonly Copy[]): Promise<void> {
  const { orgId } = system.organisation
  const rows = await listAuditEvents(sql, orgId, template.envelopeId)
  const signed = rows.slice(0, rows.findIndex(({ action }) => action === 'envelope.completed') + 1)
  const trails = copies.map((copy) => {
    let previous: Buffer = CHAIN_START
    return signed.map(({ previousHash: _previousHash, hash: _hash, mac: _mac, ...row }) => {
      const content: AuditContent = JSON.parse(withIdsOf(copy, template, JSON.stringify(row)))
      const hash = auditHash(previous, content)
      const place = { orgId, envelopeId: copy.envelopeId, seq: content.seq }
      const mac = (kind: 'row' | 'head') => system.keys.auditMac(auditStatement(kind, place, hash))
      const bound = {
        ...content,
        orgId,
        previousHash: hex(previous),
        hash: hex(hash),
        mac: hex(mac('row')),
        headMac: hex(mac('head')),
      }
      previous = hash
      return bound
    })
  })
  await sql`
    insert into audit_events (org_id, envelope_id, seq, at, actor, action, address, user_agent, detail, previous_hash, hash, mac)
    select "orgId", "envelopeId", seq, at, actor, action, address, "userAgent", detail, decode("previousHash", 'hex'), decode(hash, 'hex'), decode(mac, 'hex')
    from jsonb_to_recordset(${JSON.stringify(trails.flat())}::text::jsonb) row ("orgId" uuid, "envelopeId" uuid, seq int, at timestamptz, actor jsonb,
      action text, address text, "userAgent" text, detail jsonb, "previousHash" text, hash text, mac text)`
  await sql`
    insert into audit_heads (org_id, envelope_id, seq, at, hash, mac, pending_at)
    select "orgId", "envelopeId", seq, at, decode(hash, 'hex'), decode("headMac", 'hex'), at
    from jsonb_to_recordset(${JSON.stringify(trails.map((trail) => trail.at(-1)))}::text::jsonb)
      row ("orgId" uuid, "envelopeId" uuid, seq int, at timestamptz, hash text, "headMac" text)`
}

function withIdsOf(copy: Copy, template: SignedEnvelope, text: string): string {
  return text
    .replaceAll(template.envelopeId, copy.envelopeId)
    .replaceAll(template.documentId, copy.documentId)
    .replaceAll(template.signerId, copy.signerId)
    .replaceAll(template.signatureId, copy.signatureId)
}

async function promiseSeals(sql: Sql, orgId: OrgId, copies: readonly Copy[]): Promise<void> {
  const ids = copies.map(({ envelopeId }) => envelopeId)
  await sql`insert into seal_jobs (org_id, envelope_id) select ${orgId}, unnest(${ids}::uuid[])`
  await sql`
    insert into outbox (org_id, partition, subject, body)
    select ${orgId}, hashtext(id) & 15, 'sealwright.seal.requested', jsonb_build_object('orgId', ${orgId}::text, 'id', id)
    from unnest(${ids}::text[]) id`
}

function hex(bytes: Buffer): string {
  return bytes.toString('hex')
}
