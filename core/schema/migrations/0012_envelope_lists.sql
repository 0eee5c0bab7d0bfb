-- What keeps lists and counts fast however many envelopes there are. Every index begins with organisation and workspace, because rights to read are given by
-- workspace, and includes what the policy on envelopes compares (drops_at, lapses_at), so that a scan visits the index only.

create index envelopes_listed on envelopes (org_id, workspace_id, created_at desc, id desc) include (title_folded, lapses_at, drops_at);
create index envelopes_by_status on envelopes (org_id, workspace_id, status, created_at desc, id desc)
  include (title_folded, lapses_at, drops_at);

-- The labels of the envelopes, one row each, written by triggers. Behind row-level security no index serves containment in jsonb, because its operators
-- are not leakproof; equality of texts is. Status and times are copied, so that a list or count by label and status reads one index.
create table envelope_labels (
  org_id       uuid not null,
  workspace_id uuid not null,
  key          text not null,
  value        text not null,
  created_at   timestamptz not null,
  envelope_id  uuid not null,
  status       text not null,
  lapses_at    timestamptz,
  drops_at     timestamptz
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index envelope_labels_by_value on envelope_labels (org_id, workspace_id, key, value, created_at desc, envelope_id desc)
  include (status, lapses_at, drops_at);
-- The predicate is true of every row. Only a query for a key without a value states it: otherwise the planner, which takes key and value for independent,
-- expects one row from either index and may read every row that has the key.
create index envelope_labels_by_key on envelope_labels (org_id, workspace_id, key, created_at desc, envelope_id desc)
  include (status, lapses_at, drops_at)
  where envelope_id <> '00000000-0000-0000-0000-000000000000';

select isolate_by_organisation('envelope_labels');
grant select, insert, delete, update (status, lapses_at, drops_at) on envelope_labels to sealwright_api, sealwright_system;
-- Hides the same drafts as the policy on envelopes.
alter policy own_organisation on envelope_labels
  using (org_id = sealwright_org() and (drops_at is null or drops_at > sealwright_now() or lapses_at <= drops_at));

-- Both functions find their rows by the index of keys: joined with the labels, the plan would read every key and value of the workspace.
create function copy_envelope_labels() returns trigger language plpgsql as
$$
begin
  if tg_op <> 'INSERT' then
    delete from envelope_labels l
    where l.org_id = old.org_id and l.workspace_id = old.workspace_id and l.key = any(array(select jsonb_object_keys(old.labels)))
      and l.created_at = old.created_at and l.envelope_id = old.id
      and l.envelope_id <> '00000000-0000-0000-0000-000000000000';
  end if;
  if tg_op <> 'DELETE' then
    insert into envelope_labels (org_id, workspace_id, key, value, created_at, envelope_id, status, lapses_at, drops_at)
    select new.org_id, new.workspace_id, n.key, n.value, new.created_at, new.id, new.status, new.lapses_at, new.drops_at
    from jsonb_each_text(new.labels) n;
  end if;
  return null;
end
$$;
create trigger envelope_labels_added after insert on envelopes for each row
  when (new.labels <> '{}') execute function copy_envelope_labels();
create trigger envelope_labels_changed after update of labels, workspace_id, created_at on envelopes for each row
  when ((old.labels, old.workspace_id, old.created_at) is distinct from (new.labels, new.workspace_id, new.created_at))
  execute function copy_envelope_labels();
create trigger envelope_labels_removed after delete on envelopes for each row
  when (old.labels <> '{}') execute function copy_envelope_labels();

create function update_envelope_labels() returns trigger language plpgsql as
$$
begin
  update envelope_labels l set status = new.status, lapses_at = new.lapses_at, drops_at = new.drops_at
  where l.org_id = new.org_id and l.workspace_id = new.workspace_id and l.key = any(array(select jsonb_object_keys(new.labels)))
    and l.created_at = new.created_at and l.envelope_id = new.id
    and l.envelope_id <> '00000000-0000-0000-0000-000000000000';
  return null;
end
$$;
create trigger envelope_labels_updated after update of status, lapses_at, drops_at on envelopes for each row
  when (new.labels <> '{}'
    and (old.labels, old.workspace_id, old.created_at) is not distinct from (new.labels, new.workspace_id, new.created_at)
    and (old.status, old.lapses_at, old.drops_at) is distinct from (new.status, new.lapses_at, new.drops_at))
  execute function update_envelope_labels();

-- How many envelopes of each status a workspace has, updated with each change, so that statistics and totals by status count nothing. The numbers of a
-- workspace are the sums of its rows: a change updates a row that no other transaction is changing, or inserts one. So it never waits and cannot
-- deadlock, and there are about as many rows as there were concurrent changes.
create table envelope_counts (
  org_id       uuid not null,
  workspace_id uuid not null,
  id           bigint not null,
  -- By the stored status. A single row may be below zero.
  draft        bigint not null,
  sent         bigint not null,
  in_progress  bigint not null,
  completed    bigint not null,
  cancelled    bigint not null,
  expired      bigint not null,
  primary key (org_id, workspace_id, id),
  foreign key (org_id, workspace_id) references workspaces on delete cascade
) with (fillfactor = 50);
create sequence envelope_counts_ids owned by envelope_counts.id;
alter table envelope_counts enable row level security;
alter table envelope_counts alter column org_id set statistics 0; -- as isolate_by_organisation
-- Read only: rows are written by the function below.
create policy own_organisation on envelope_counts to sealwright_api using (org_id = sealwright_org());
create policy every_organisation on envelope_counts to sealwright_system using (true);
grant select on envelope_counts to sealwright_api, sealwright_system;

-- `added` and `removed` are statuses, or null.
create function add_to_envelope_counts(org uuid, workspace uuid, added text, removed text) returns void
  language plpgsql security definer set search_path = public, pg_temp as
$$
begin
  insert into envelope_counts as c
  select org, workspace,
    coalesce(
      (select f.id from envelope_counts f where f.org_id = org and f.workspace_id = workspace limit 1 for no key update skip locked),
      nextval('envelope_counts_ids')),
    (added is not distinct from 'DRAFT')::int - (removed is not distinct from 'DRAFT')::int,
    (added is not distinct from 'SENT')::int - (removed is not distinct from 'SENT')::int,
    (added is not distinct from 'IN_PROGRESS')::int - (removed is not distinct from 'IN_PROGRESS')::int,
    (added is not distinct from 'COMPLETED')::int - (removed is not distinct from 'COMPLETED')::int,
    (added is not distinct from 'CANCELLED')::int - (removed is not distinct from 'CANCELLED')::int,
    (added is not distinct from 'EXPIRED')::int - (removed is not distinct from 'EXPIRED')::int
  on conflict (org_id, workspace_id, id) do update
  set draft = c.draft + excluded.draft, sent = c.sent + excluded.sent, in_progress = c.in_progress + excluded.in_progress,
    completed = c.completed + excluded.completed, cancelled = c.cancelled + excluded.cancelled, expired = c.expired + excluded.expired;
end
$$;
revoke execute on function add_to_envelope_counts from public;

create function count_envelope() returns trigger language plpgsql security definer set search_path = public, pg_temp as
$$
begin
  if tg_op = 'UPDATE' and (new.org_id, new.workspace_id) = (old.org_id, old.workspace_id) then
    perform add_to_envelope_counts(new.org_id, new.workspace_id, new.status, old.status);
    return null;
  end if;
  if tg_op <> 'INSERT' then perform add_to_envelope_counts(old.org_id, old.workspace_id, null, old.status); end if;
  if tg_op <> 'DELETE' then perform add_to_envelope_counts(new.org_id, new.workspace_id, new.status, null); end if;
  return null;
end
$$;
create trigger envelopes_counted after insert or delete on envelopes for each row execute function count_envelope();
create trigger envelopes_recounted after update of org_id, workspace_id, status on envelopes for each row
  when ((old.org_id, old.workspace_id, old.status) is distinct from (new.org_id, new.workspace_id, new.status))
  execute function count_envelope();

-- Numbers to be added up, by the status that a reader sees: the counts, corrected by what the clock has changed and no sweep has written yet. Envelopes whose
-- time is over are expired, drafts that the policy on envelopes hides do not count. The view reads with the rights of its owner, past the
-- policies, and compares the organisation itself. `offset 0` keeps the planner on the indexes of the sweeps, which hold few rows.
create view shown_envelope_counts as
  select c.workspace_id, s.status, s.count
  from envelope_counts c
  cross join lateral (
    values ('DRAFT', c.draft), ('SENT', c.sent), ('IN_PROGRESS', c.in_progress), ('COMPLETED', c.completed), ('CANCELLED', c.cancelled),
      ('EXPIRED', c.expired)) s (status, count)
  where c.org_id = (select sealwright_org())
  union all
  select l.workspace_id, s.status, s.count
  from (
    select org_id, workspace_id, status
    from envelopes
    where status in ('DRAFT', 'SENT', 'IN_PROGRESS') and lapses_at <= sealwright_now() and (drops_at is null or lapses_at <= drops_at)
    offset 0) l
  cross join lateral (values (l.status, -1), ('EXPIRED', 1)) s (status, count)
  where l.org_id = (select sealwright_org())
  union all
  select d.workspace_id, 'DRAFT', -1
  from (
    select org_id, workspace_id
    from envelopes
    where drops_at <= sealwright_now() and (lapses_at is null or lapses_at > drops_at)
    offset 0) d
  where d.org_id = (select sealwright_org());
grant select on shown_envelope_counts to sealwright_api;
