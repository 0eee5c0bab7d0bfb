-- How many envelopes of each status every workspace has, kept with each change: neither the statistics nor the total of a list by status alone walk along
-- all there is any more. The numbers of a workspace are spread over rows that have to be added up: a change goes to one that nobody else is changing,
-- or to a new one. So it waits for nobody and is part of no deadlock, and there are about as many rows as there were changes at one moment.
create table envelope_counts (
  org_id       uuid not null,
  workspace_id uuid not null,
  id           bigint not null,
  -- By the status as it is stored. One row alone may well be below zero.
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

-- From here on nobody else writes envelopes until all of this is committed.
insert into envelope_counts
select org_id, workspace_id, nextval('envelope_counts_ids'), count(*) filter (where status = 'DRAFT'), count(*) filter (where status = 'SENT'),
  count(*) filter (where status = 'IN_PROGRESS'), count(*) filter (where status = 'COMPLETED'), count(*) filter (where status = 'CANCELLED'),
  count(*) filter (where status = 'EXPIRED')
from envelopes
group by org_id, workspace_id;

-- What the clock changes without a write: found by the indexes of the sweeps, which leave little behind. They have now all that is asked of it.
drop index envelopes_by_lapse, envelopes_to_drop;
create index envelopes_by_lapse on envelopes (lapses_at) include (org_id, workspace_id, status, drops_at)
  where status in ('DRAFT', 'SENT', 'IN_PROGRESS');
create index envelopes_to_drop on envelopes (drops_at) include (org_id, workspace_id, lapses_at) where drops_at is not null;

-- Numbers to be added up, by the status that a reader sees: what has lapsed is expired, and drafts behind the wall around the envelopes are not there.
-- The owner's view reads past that wall, and past the one around the counts, and draws both itself. `offset 0` keeps the indexes of the sweeps in use.
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
