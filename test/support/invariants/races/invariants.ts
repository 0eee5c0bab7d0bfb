// What must hold in the database whichever contender won: each invariant is a query for violations, run for every envelope of a race.
import { verifyChain } from '#core/audit/verify-chain.ts'
import type { Core } from '#core/context.ts'
import { EnvelopeId, OrgId } from '#core/ids.ts'
import type { Database } from '#core/platform/postgres/client.ts'

const ENDED = `('COMPLETED', 'CANCELLED', 'EXPIRED')`
const OUTCOMES = `('envelope.completed', 'envelope.cancelled', 'envelope.expired')`

/** For one envelope, `asked.id`; a deleted draft has no rows and violates none. */
const OF_ENVELOPE: Record<string, string> = {
  'an envelope has one outcome, its own, and none before it has ended': `
    select from e where (select coalesce(string_agg(kind, ','), '') from reported where type in ${OUTCOMES})
      <> case when status in ${ENDED} then lower(status) else '' end`,
  'sending is reported once, first, and only when it happened': `
    select from e where (select count(*) from reported where kind = 'sent') <> (sent_at is not null)::int
      or exists (select from reported where id < (select min(id) from reported where kind = 'sent'))`,
  'nothing is reported of an envelope that has ended': `
    select from reported where id > (select min(id) from reported where type in ${OUTCOMES})`,
  'a signature, its signer, its event and its audit row come together, once': `
    select from s where array[(status = 'SIGNED')::int, (signed_at is not null)::int] <> array[signatures, signatures]
      or signatures > 1 or signed_reported <> signatures or signed_audited <> signatures`,
  'a first view is reported once, where there was one': `select from s where viewed_reported <> (viewed_at is not null)::int`,
  'the status of an envelope is what its signers did': `
    select from e where status <> case when status in ('CANCELLED', 'EXPIRED') then status when sent_at is null then 'DRAFT'
      else (select case count(*) filter (where status = 'SIGNED') when 0 then 'SENT' when count(*) then 'COMPLETED' else 'IN_PROGRESS' end from s) end`,
  'signers who had not signed when the envelope ended are out': `
    select from s, e where e.status in ('CANCELLED', 'EXPIRED') and s.status not in ('SIGNED', e.status)`,
  'the promise to seal is there exactly when all have signed': `
    select from e where (select count(*) from seal_jobs where envelope_id = asked.id) <> (status = 'COMPLETED')::int
      or (select count(*) from outbox where subject = 'sealwright.seal.requested' and body->>'id' = asked.id::text) <> (status = 'COMPLETED')::int`,
  'a sent envelope has one link a signer, a draft none': `
    select from s, e where links <> (e.sent_at is not null)::int`,
  'no link of an ended envelope opens anything but the signed copy': `
    select from signing_links l, e where l.envelope_id = asked.id and e.status in ${ENDED} and l.used_at is null and l.revoked_at is null`,
  'exactly the links of signers who signed were used, before the envelope expired': `
    select from signing_links l, s, e where l.signer_id = s.id
      and ((l.used_at is not null)::int <> s.signatures or l.used_at >= coalesce(l.expires_at, 'infinity'))`,
  'each signer has one mail with the link, held while the turn has not come': `
    select from signing_links l left join mails m on m.signer_id = l.signer_id and m.template = 'SIGNING_LINK' where l.envelope_id = asked.id
      group by l.signer_id, l.released_at
      having count(m.id) <> 1 or bool_or(m.state = 'HELD') <> (l.released_at is null and not exists (select from e where status in ${ENDED}))`,
  'no mail waits for an envelope that has ended without success': `
    select from mails m, e where m.envelope_id = asked.id and e.status in ('CANCELLED', 'EXPIRED') and m.state in ('HELD', 'WAITING', 'DEAD')`,
  'every mail that may go was asked for once': `
    select from mails m where m.envelope_id = asked.id and m.state <> 'HELD' and
      (select count(*) from outbox o where o.subject = 'sealwright.mail.requested' and o.body->>'id' = m.id::text)
        > 1 - (m.state = 'HELD')::int`,
  'every code was mailed once, and one at most is still open': `
    select from s where codes <> code_mails or open_codes > 1`,
  'the trail tells the same story as the receivers': `
    select from e where exists (select kind from reported where kind <> 'viewed' and type not like 'signer.%'
      except select replace(action, 'envelope.', '') from audit_events where envelope_id = asked.id)
      or (select count(*) from audit_events where envelope_id = asked.id and action in ('envelope.cancelled', 'envelope.completed', 'envelope.expired'))
        <> (status in ${ENDED})::int`,
  'the documents are those that were frozen': `
    select from e where sent_at is not null and (select count(*)::text from documents where envelope_id = asked.id)
      <> (select detail->>'documents' from audit_events where envelope_id = asked.id and action = 'envelope.sent')`,
  'the signers are those that were frozen': `
    select from e where sent_at is not null and (select count(*)::text from s)
      <> (select detail->>'signers' from audit_events where envelope_id = asked.id and action = 'envelope.sent')`,
  'no code was tried more often than allowed': `
    select from otp_challenges c, s where c.signer_id = s.id and (c.tries > 5 or (c.tries = 5 and c.closed_at is null))`,
}

const OF_ORGANISATION: Record<string, string> = {
  'the count of open envelopes is what the rows say': `
    select from organisations o where o.id = $1 and o.open_envelopes <>
      (select count(*) from envelopes where org_id = $1 and status not in ${ENDED})`,
  'the storage in use is what the rows say': `
    select from organisations o where o.id = $1 and o.storage_bytes <>
      (select coalesce(sum(size_bytes), 0) from documents where org_id = $1)`,
  'a webhook is probed regularly exactly while nothing but the workers disables it': `
    select from webhooks w left join webhook_probes p on p.org_id = w.org_id and p.webhook_id = w.id where w.org_id = $1
      and case when w.disabled_reason = 'AUTOMATIC' then p.webhook_id is null else p.webhook_id is not null and p.request is null end`,
  'Kubernetes is going to be shown the newest version of every webhook': `
    select from webhooks w where w.org_id = $1 and not exists (select from mirror_changes c where c.kind = 'WEBHOOK' and c.id = w.id)`,
  'the envelopes sent today are what the rows say': `
    select from quota_windows where org_id = $1 and dimension = 'ENVELOPES_SENT_PER_DAY' having sum(used) <>
      (select count(*) from envelopes where org_id = $1 and sent_at is not null)`,
}

/** The envelope, its events and its signers, as the invariants use them. */
const VIEWS = `
  with e as (select * from envelopes where id = asked.id),
  reported as (select seq as id, type, regexp_replace(type, '.*[.]', '') as kind, body::jsonb as body from events
    where envelope_id = asked.id),
  s as (select s.*,
    (select count(*)::int from signatures g where g.signer_id = s.id) as signatures,
    (select count(*)::int from reported where kind = 'signed' and body->'data'->'signer'->>'id' = s.id::text) as signed_reported,
    (select count(*)::int from reported where kind = 'viewed' and body->'data'->'signer'->>'id' = s.id::text) as viewed_reported,
    (select count(*)::int from audit_events a where a.envelope_id = asked.id and action = 'signer.signed'
      and actor->>'signerId' = s.id::text) as signed_audited,
    (select count(*)::int from signing_links l where l.signer_id = s.id) as links,
    (select count(*)::int from otp_challenges c where c.signer_id = s.id) as codes,
    (select count(*)::int from otp_challenges c where c.signer_id = s.id and closed_at is null) as open_codes,
    (select count(*)::int from mails m where m.signer_id = s.id and template = 'ONE_TIME_CODE') as code_mails
    from signers s where s.envelope_id = asked.id)`

export interface Breach {
  rule: string
  envelopeId: string
}

/** The invariants that these envelopes violate, by one query. */
export async function brokenRules(
  owner: Database,
  core: Pick<Core, 'database' | 'keys'>,
  orgId: string,
  envelopeIds: readonly string[],
): Promise<Breach[]> {
  const chains = envelopeIds.map(async (envelopeId) => {
    const { firstBadSeq } = await verifyChain(core, OrgId.parse(orgId), EnvelopeId.parse(envelopeId))
    return firstBadSeq === undefined ? [] : [{ rule: 'the audit chain is whole', envelopeId }]
  })
  const [ofEnvelopes, ...ofChains] = await Promise.all([
    owner.unsafe<Breach[]>(
      `select asked.id as envelope_id, breaches.rule from unnest($1::uuid[]) as asked(id),
        lateral (${VIEWS} ${questions(OF_ENVELOPE)}) as breaches`,
      [[...envelopeIds]],
    ),
    ...chains,
  ])
  return [...ofEnvelopes, ...ofChains.flat()]
}

/** The invariants that an organisation's counters violate, once nothing is running. */
export async function brokenCounters(owner: Database, orgId: string): Promise<string[]> {
  const rows = await owner.unsafe<{ rule: string }[]>(questions(OF_ORGANISATION), [orgId])
  return rows.map(({ rule }) => rule)
}

function questions(rules: Record<string, string>): string {
  return Object.entries(rules)
    .map(([rule, breach]) => `select '${rule}' as rule where exists (${breach})`)
    .join(' union all ')
}
