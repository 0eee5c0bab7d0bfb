// A million envelopes in fifty organisations, made by the server itself: sizes as uneven as customers are, titles and labels as people choose them,
// statuses as a service of some years has them, among them envelopes and drafts whose time has passed before any sweep came by.
import type { Database } from '#core/platform/postgres/client.ts'

export interface FillOptions {
  organisations: number
  envelopes: number
}

/** Fills an empty, migrated database as its owner, by a pool of one connection; repeatable but for ids. Organisation n has a share of 1/n; each has a credential, which may read
 *  all of its six workspaces. */
export async function fillDatabase(owner: Database, { organisations, envelopes }: FillOptions): Promise<void> {
  await owner.begin(async (sql) => {
    // Foreign keys and triggers would be asked a million times for what is right by construction.
    await sql`set local session_replication_role = replica`
    await sql`set local synchronous_commit = off`
    await sql`set local statement_timeout = 0`
    await sql`select setseed(0.42)`
    await sql`
      insert into organisations (id, name)
      select gen_random_uuid(), 'Organisation ' || n from generate_series(1, ${organisations}::int) n`
    await sql`
      insert into workspaces (org_id, id, name, is_general)
      select o.id, gen_random_uuid(), w.name, w.name = 'General'
      from organisations o, unnest(array['General', 'Legal', 'People', 'Sales', 'Procurement', 'Board']) w(name)`
    await sql`
      insert into credentials (org_id, id, client_id, name) select id, gen_random_uuid(), 'bench-' || name, 'Bench' from organisations`
    await sql`
      insert into credential_grants
      select w.org_id, c.id, w.id, array['envelope:read'] from workspaces w join credentials c on c.org_id = w.org_id`
    // Indexes are made in one go afterwards, which takes a fraction of the time.
    const indexes = await sql<{ name: string; definition: string }[]>`
      select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
      from pg_index
      where indrelid in ('envelopes'::regclass, 'envelope_labels'::regclass) and not indisunique`
    for (const { name } of indexes) await sql.unsafe(`drop index ${name}`)
    await fillEnvelopes(sql, envelopes)
    await sql`
      insert into envelope_labels (org_id, workspace_id, key, value, created_at, envelope_id, status, lapses_at, drops_at)
      select e.org_id, e.workspace_id, l.key, l.value, e.created_at, e.id, e.status, e.lapses_at, e.drops_at
      from envelopes e, jsonb_each_text(e.labels) l`
    await sql`
      insert into envelope_counts
      select org_id, workspace_id, nextval('envelope_counts_ids'), count(*) filter (where status = 'DRAFT'), count(*) filter (where status = 'SENT'),
        count(*) filter (where status = 'IN_PROGRESS'), count(*) filter (where status = 'COMPLETED'), count(*) filter (where status = 'CANCELLED'),
        count(*) filter (where status = 'EXPIRED')
      from envelopes group by org_id, workspace_id`
    await sql`
      insert into title_months
      select org_id, month, nextval('title_months_ids'), title_bits(array_agg(place))
      from (select distinct org_id, title_month(created_at) as month, title_bit_numbers(title_folded) as place from envelopes) p
      group by org_id, month`
    await sql`set local maintenance_work_mem = '512MB'`
    for (const { definition } of indexes) await sql.unsafe(definition)
    await sql`alter index envelopes_by_title alter column 1 set statistics 0`
    await sql`
      insert into signers (org_id, id, envelope_id, email, name, sign_order, status, signed_at)
      select e.org_id, gen_random_uuid(), e.id, 'signer' || (random() * 99999)::int || '@example.com', 'Signer ' || (random() * 99999)::int, n,
        case e.status when 'COMPLETED' then 'SIGNED' when 'DRAFT' then 'PENDING' when 'IN_PROGRESS' then 'VIEWED' else e.status end,
        case when e.status = 'COMPLETED' then e.ended_at end
      from envelopes e, generate_series(1, 1 + ('x' || substr(e.id::text, 1, 2))::bit(8)::int % 3) n`
    await sql`
      insert into documents (org_id, id, envelope_id, position, filename, size_bytes, sha256, storage_key, inspection, created_at, stored_at)
      select org_id, gen_random_uuid(), id, 1, 'contract.pdf', 42000, '\\x00', 'key', '{}', created_at, created_at from envelopes`
  })
  await owner`set statement_timeout = 0`
  await owner`vacuum analyze`
  await writeHereAndThere(owner)
}

/** As in any installation at work, some pages of each table have been written since its last vacuum: what a planner expects of one where none was is
 *  true on no other day. */
async function writeHereAndThere(owner: Database): Promise<void> {
  for (const table of ['envelopes', 'envelope_labels', 'signers', 'documents'])
    await owner.unsafe(
      `update ${table} set org_id = org_id where ctid in (select ctid from ${table} tablesample system (0.5) repeatable (42))`,
    )
}

const KINDS = [
  'Employment agreement',
  'Non-disclosure agreement',
  'Lease',
  'Purchase order',
  'Master services agreement',
  'Statement of work',
  'Amendment to the lease',
  'Offer letter',
  'Consulting agreement',
  'Power of attorney',
]
const NAMES = [
  'Ada Lovelace',
  'Grüner & Söhne',
  'Northwind Traders',
  'Łódź Logistics',
  'Contoso',
  'Fabrikam',
  'Ōsaka Trading',
  'Bernard Dupont',
  'Wide World Importers',
  'Quartz Mining',
  'Zephyr Airways',
  'Beaumont Estates',
  'Harbour Foods',
  'Kestrel Energy',
  'Delta Works',
]

/** Newer envelopes are likelier; of the open ones one in a hundred has lapsed. Labels: two that everybody sets, one with a hundred values, one bare,
 *  one that is different each time. */
async function fillEnvelopes(sql: Pick<Database, 'unsafe'>, envelopes: number): Promise<void> {
  const list = (texts: readonly string[]) => `array[${texts.map((text) => `'${text}'`).join(', ')}]`
  await sql.unsafe(`
    create temporary table sizes on commit drop as
    select id as org_id, row_number() over (order by id) as rank,
      sum(1.0 / n) over (order by n) / sum(1.0 / n) over () as upto, sum(1.0 / n) over (order by n) / sum(1.0 / n) over () - (1.0 / n) / sum(1.0 / n) over () as above
    from (select id, row_number() over (order by id) as n from organisations) o;
    create temporary table rooms on commit drop as
    select org_id, array_agg(id order by is_general desc) as ids from workspaces group by org_id;
    create temporary table drawn on commit drop as
    select n, random() as o, random() as w, random() as k, random() as p, random() as s, random() as l, random() as t, random() as d
    from generate_series(1, ${envelopes}) n;
    insert into envelopes (org_id, id, workspace_id, title, status, otp_required, sequential_signing, link_ttl_seconds, expires_at, lapses_at, drops_at,
      touched_at, labels, created_at, created_by, sent_at, ended_at)
    select z.org_id, gen_random_uuid(), r.ids[1 + (6 * d.w * d.w)::int % 6],
      (${list(KINDS)})[1 + floor(${KINDS.length} * d.k)::int] || ' ' || (${list(NAMES)})[1 + floor(${NAMES.length} * d.p)::int] || ' '
        || extract(year from x.created_at) || '-' || d.n,
      x.status, d.t < 0.2, d.t > 0.7, 259200, x.lapses_at, x.lapses_at,
      case when x.status = 'DRAFT' then x.touched_at + interval '30 days' end, x.touched_at,
      jsonb_strip_nulls(jsonb_build_object(
        'department', (array['sales', 'sales', 'sales', 'legal', 'people', 'procurement', 'board', 'it'])[1 + floor(8 * d.l)::int],
        'region', (array['emea', 'emea', 'amer', 'apac'])[1 + floor(4 * d.w)::int],
        'cost_center', case when d.p < 0.5 then 'cc-' || floor(100 * d.k) end,
        'urgent', case when d.l < 0.02 then 'yes' end,
        'deal', case when d.k < 0.1 then 'D-' || d.n end)),
      x.created_at, 'bench', case when x.status <> 'DRAFT' then x.created_at + interval '1 hour' end,
      case when x.status in ('COMPLETED', 'CANCELLED', 'EXPIRED') then x.created_at + interval '2 days' end
    from drawn d
    join sizes z on d.o >= z.above and d.o < z.upto
    join rooms r on r.org_id = z.org_id,
    lateral (select now() - d.d * d.d * interval '730 days' as created_at,
      case when d.s < 0.70 then 'COMPLETED' when d.s < 0.75 then 'CANCELLED' when d.s < 0.83 then 'EXPIRED' when d.s < 0.90 then 'DRAFT'
        when d.s < 0.96 then 'SENT' else 'IN_PROGRESS' end as status,
      case when d.t < 0.01 then now() - interval '1 hour' when d.t < 0.7 then now() + interval '30 days' end as lapses_at,
      -- Drafts live as long as the setting says: the sweep would measure anew any that live shorter or longer.
      now() - case when d.t < 0.02 then interval '30 days 1 minute' else interval '10 days' end as touched_at) x
    order by x.created_at`)
}
