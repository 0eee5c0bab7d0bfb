-- Webhooks, what was delivered to them, and the jobs that deliver and probe (see core/work).

create table webhooks (
  org_id                     uuid not null references organisations,
  id                         uuid not null,
  -- Counted up by every change that its author, its organisation or Kubernetes sees.
  version                    bigint not null default 1,
  url                        text not null constraint webhooks_url_length check (char_length(url) between 1 and 2048),
  description                text not null default '' constraint webhooks_description_length check (char_length(description) <= 256),
  event_types                text[] not null constraint webhooks_event_types check (cardinality(event_types) > 0),
  origin                     text not null default 'API' constraint webhooks_origin check (origin in ('API', 'KUBERNETES')),
  created_at                 timestamptz not null default sealwright_now(),
  -- Three independent votes against it: of an admin in the panel, of `suspend` in Kubernetes, and of the workers after several deliveries in a row that used
  -- up their retries (it is probed then). It gets events only without any of them, and no vote overwrites another.
  disabled_by_admin_at       timestamptz,
  suspended_at               timestamptz,
  disabled_automatically_at  timestamptz,
  -- Null while it is enabled; of several votes the one that is shown.
  disabled_reason            text generated always as (
    case when suspended_at is not null then 'SUSPENDED'
      when disabled_by_admin_at is not null then 'BY_ADMIN'
      when disabled_automatically_at is not null then 'AUTOMATIC' end) stored,
  disabled_at                timestamptz generated always as (
    coalesce(suspended_at, disabled_by_admin_at, disabled_automatically_at)) stored,
  -- Deliveries that used up their retries since the last success, in the order of their ends.
  consecutive_exhausted      integer not null default 0,
  -- Whether its address has ever accepted an event.
  has_delivered              boolean not null default false,
  -- {at, code, detail?} of the last delivery that used up its retries, or of a later probe.
  last_failure               jsonb,
  last_probe_at              timestamptz,
  -- Until then it gets one delivery at a time, because it let one time out.
  slow_until                 timestamptz,
  -- The secrets are encrypted. The previous one also signs until it expires.
  secret_box                 bytea not null,
  secret_last_four           text not null,
  secret_revision            integer not null default 1,
  -- Its author in Kubernetes chose the secret, so that none is generated for it.
  secret_is_given            boolean not null default false,
  -- Null for a secret that was made outside the panel and not read yet.
  secret_shown_at            timestamptz,
  previous_secret_box        bytea,
  previous_secret_expires_at timestamptz,
  -- The last requests from Kubernetes that were carried out: opaque texts, of which a new one asks once.
  rotation_request           text,
  probe_request              text,
  -- The object that decides what a webhook born in Kubernetes is. Of one born in the panel, what commands were read from.
  object_uid                 text constraint webhooks_object_unique unique,
  object_namespace           text,
  object_name                text,
  object_generation          bigint,
  object_created_at          timestamptz,
  -- Since when its object has been gone without a deletion; it still gets events.
  orphaned_at                timestamptz,
  primary key (org_id, id),
  constraint webhooks_previous_secret check ((previous_secret_box is null) = (previous_secret_expires_at is null)),
  constraint webhooks_object check (
    (object_uid is null) = (object_namespace is null) and (object_uid is null) = (object_name is null) and (object_uid is null) = (object_generation is null)),
  constraint webhooks_born_in_kubernetes check (origin = 'API' or (object_uid is not null and object_created_at is not null))
);
create index webhooks_disabled on webhooks (org_id, id) where disabled_reason is not null;
create index webhooks_orphaned on webhooks (id) where orphaned_at is not null;
create index webhooks_by_id on webhooks (id);

create function count_webhook_version() returns trigger language plpgsql as
  $$ begin new.version := old.version + 1; return new; end $$;
-- Not counted: `slow_until`, and the generation of an object that changed nothing.
create trigger webhooks_versioned before update on webhooks for each row
  when (
    (old.url, old.description, old.event_types, old.disabled_by_admin_at, old.suspended_at, old.disabled_automatically_at,
      old.consecutive_exhausted, old.has_delivered, old.last_failure, old.last_probe_at, old.secret_box, old.secret_is_given,
      old.previous_secret_expires_at, old.rotation_request, old.probe_request, old.object_uid, old.object_namespace, old.object_name, old.orphaned_at)
    is distinct from
    (new.url, new.description, new.event_types, new.disabled_by_admin_at, new.suspended_at, new.disabled_automatically_at,
      new.consecutive_exhausted, new.has_delivered, new.last_failure, new.last_probe_at, new.secret_box, new.secret_is_given,
      new.previous_secret_expires_at, new.rotation_request, new.probe_request, new.object_uid, new.object_namespace, new.object_name, new.orphaned_at))
  execute function count_webhook_version();

-- The history: one row for each event that is, was or would have been owed to a webhook. No foreign keys: it outlives its webhook, and a partition is dropped
-- as a whole. The id begins with the time (RFC 9562, version 7), so that partitions by id are partitions by time.
create table deliveries (
  org_id     uuid not null,
  id         uuid not null,
  webhook_id uuid not null,
  event_id   uuid not null,
  event_type text not null,
  kind       text not null constraint deliveries_kind check (kind in ('EVENT', 'REPLAY', 'TEST', 'PROBE')),
  status     text not null constraint deliveries_status check (
    status in ('WAITING', 'REJECTED', 'DELIVERED', 'GAVE_UP', 'NOT_SENT', 'NOT_BUILT')),
  -- Why it ended otherwise than by its attempts: ENDPOINT_DISABLED, ENDPOINT_DELETED, or the error that prevented the body.
  reason     text,
  -- [{at, durationMs, responseStatus?, failure?: {code, detail?}}], oldest first.
  attempts   jsonb not null default '[]',
  created_at timestamptz not null,
  primary key (org_id, id)
) partition by range (id);
create index deliveries_of_webhook on deliveries (org_id, webhook_id, id);
create index deliveries_by_status on deliveries (org_id, webhook_id, status, id);
create index deliveries_by_type on deliveries (org_id, webhook_id, event_type, id);
create table deliveries_default partition of deliveries default; -- for times without a partition

-- Deliveries that are still to be made; a row is deleted at its end. No foreign key to `webhooks`, whose check would lock the webhook's row for every event:
-- rows whose webhook was disabled or deleted meanwhile are ended by the next poll.
create table delivery_jobs (
  org_id       uuid not null,
  id           uuid not null,
  webhook_id   uuid not null,
  event_id     uuid not null,
  envelope_id  uuid not null,
  -- The order of the events: an envelope's first attempts at a webhook keep it.
  seq          bigint not null,
  -- A test is sent to disabled webhooks too.
  is_test      boolean not null default false,
  state        text not null default 'WAITING' constraint delivery_jobs_state check (state in ('WAITING', 'DONE', 'DEAD')),
  wanted_at    timestamptz not null default sealwright_now(),
  due_at       timestamptz not null default sealwright_now(),
  leased_until timestamptz,
  -- The process that leased it last: an open request is counted by the lease, and a process may lease more than it may have open.
  leased_by    uuid,
  -- As in seal_jobs.
  attempts     integer not null default 0,
  failures     integer not null default 0,
  outages      integer not null default 0,
  released     integer not null default 0,
  last_error   text,
  done_at      timestamptz,
  trace_parent text,
  primary key (org_id, id)
);
create index delivery_jobs_due on delivery_jobs (org_id, webhook_id, due_at, seq) where state = 'WAITING';
create index delivery_jobs_of_envelope on delivery_jobs (org_id, webhook_id, envelope_id, seq) where failures = 0;
create index delivery_jobs_leased on delivery_jobs (org_id, leased_until) where leased_until is not null;
create index delivery_jobs_dead on delivery_jobs (org_id, id) where state = 'DEAD';

-- One row for each webhook that is disabled automatically and by no other vote, and for each requested probe until it is made.
create table webhook_probes (
  org_id       uuid not null,
  webhook_id   uuid not null,
  -- Of Kubernetes, as in `webhooks.probe_request`.
  request      text,
  state        text not null default 'WAITING' constraint webhook_probes_state check (state in ('WAITING', 'DONE', 'DEAD')),
  wanted_at    timestamptz not null default sealwright_now(),
  due_at       timestamptz not null,
  leased_until timestamptz,
  -- As in seal_jobs.
  attempts     integer not null default 0,
  failures     integer not null default 0,
  outages      integer not null default 0,
  released     integer not null default 0,
  last_error   text,
  done_at      timestamptz,
  trace_parent text,
  primary key (org_id, webhook_id),
  foreign key (org_id, webhook_id) references webhooks on delete cascade
);
create index webhook_probes_due on webhook_probes (due_at) where state = 'WAITING';

select isolate_by_organisation(owned)
from unnest(array['webhooks', 'deliveries', 'delivery_jobs', 'webhook_probes']::regclass[]) owned;
grant select, insert, update, delete on webhooks, deliveries, delivery_jobs, webhook_probes to sealwright_api, sealwright_system;

-- A UUID of version 7: the time in milliseconds, then the last ten of these 16 bytes.
create function time_ordered_id(at timestamptz, rest bytea) returns uuid language sql immutable as
$$
  select encode(set_byte(set_byte(raw, 6, get_byte(raw, 6) & 15 | 112), 8, get_byte(raw, 8) & 63 | 128), 'hex')::uuid
  from (select substring(int8send(floor(extract(epoch from at) * 1000)::bigint) from 3) || substring(rest from 7 for 10) as raw) made
$$;
-- The lowest id of that time.
create function first_id_of(at timestamptz) returns uuid language sql immutable as
  $$ select (encode(substring(int8send(floor(extract(epoch from at) * 1000)::bigint) from 3), 'hex') || repeat('0', 20))::uuid $$;

-- Plans the deliveries of events in the transaction that releases them: none is lost, and since the id follows from event and webhook, none is planned twice.
-- One message tells the workers of all of them. Synthetic events have no envelope and are planned by what records them.
create function plan_deliveries() returns trigger language plpgsql as $$
begin
  with planned as (
    insert into deliveries (org_id, id, webhook_id, event_id, event_type, kind, status, reason, created_at)
    select e.org_id, time_ordered_id(e.released_at, decode(md5(e.id::text || w.id::text), 'hex')), w.id, e.id, e.type, 'EVENT',
      case when e.body is null then 'NOT_BUILT' when w.disabled_reason is not null then 'NOT_SENT' else 'WAITING' end,
      case when e.body is null then e.build_error when w.disabled_reason is not null then 'ENDPOINT_DISABLED' end, e.released_at
    from released e
    join webhooks w on w.org_id = e.org_id and e.type = any (w.event_types)
    where e.released_at is not null and e.envelope_id <> '00000000-0000-0000-0000-000000000000'
    on conflict do nothing
    returning org_id, id, webhook_id, event_id, status
  ), jobs as (
    insert into delivery_jobs (org_id, id, webhook_id, event_id, envelope_id, seq, trace_parent)
    select p.org_id, p.id, p.webhook_id, p.event_id, e.envelope_id, e.seq, e.trace_parent
    from planned p
    join released e on e.org_id = p.org_id and e.id = p.event_id
    where p.status = 'WAITING'
    returning org_id, id, trace_parent
  )
  insert into outbox (org_id, partition, subject, body, trace_parent)
  select distinct on (j.org_id) j.org_id, hashtext(j.org_id::text) & 15, 'sealwright.delivery.requested',
    jsonb_build_object('orgId', j.org_id, 'id', j.id), j.trace_parent
  from jobs j;
  return null;
end $$;
create trigger events_inserted after insert on events referencing new table as released
  for each statement execute function plan_deliveries();
-- The only update of events is their release.
create trigger events_released after update on events referencing new table as released
  for each statement execute function plan_deliveries();

-- Adds the partition of each week from `first` on, with the rows of that week that came before it. Run by the controller, as the tables' owner.
create function add_delivery_partitions(first timestamptz, weeks integer) returns integer
language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  week timestamptz := date_trunc('week', first at time zone 'UTC') at time zone 'UTC';
  name text;
  added integer := 0;
begin
  perform pg_advisory_xact_lock(7325006);
  for i in 1..weeks loop
    name := 'deliveries_' || to_char(week at time zone 'UTC', 'YYYYMMDD');
    if to_regclass(name) is null then
      execute format('create table %I (like deliveries including defaults including constraints)', name);
      execute format('with moved as (delete from deliveries_default where id >= %L and id < %L returning *) insert into %I select * from moved',
        first_id_of(week), first_id_of(week + interval '7 days'), name);
      execute format('alter table deliveries attach partition %I for values from (%L) to (%L)',
        name, first_id_of(week), first_id_of(week + interval '7 days'));
      added := added + 1;
    end if;
    week := week + interval '7 days';
  end loop;
  return added;
end $$;

-- Drops every partition that holds nothing newer than `until`, and deletes such rows of the default partition.
create function drop_delivery_partitions(until timestamptz) returns integer
language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  old record;
  dropped integer := 0;
begin
  for old in
    select c.relname
    from pg_inherits i
    join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'deliveries'::regclass and c.relname ~ '^deliveries_\d{8}$'
      and to_timestamp(right(c.relname, 8), 'YYYYMMDD')::timestamp at time zone 'UTC' + interval '7 days' <= until
  loop
    execute format('drop table %I', old.relname);
    dropped := dropped + 1;
  end loop;
  delete from deliveries_default where id < first_id_of(until);
  return dropped;
end $$;
revoke execute on function add_delivery_partitions, drop_delivery_partitions from public;
grant execute on function add_delivery_partitions, drop_delivery_partitions to sealwright_system;
