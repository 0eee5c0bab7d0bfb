-- One engine runs every kind of work: each kind's table has the same columns for it.
alter table seal_intents rename to seal_jobs;
alter table seal_jobs rename column created_at to wanted_at;
alter table seal_jobs add column outages integer not null default 0;
alter index seal_intents_pkey rename to seal_jobs_pkey;
alter index seal_intents_due rename to seal_jobs_due;
drop index seal_intents_parked;
alter table seal_jobs drop constraint seal_intents_state;
update seal_jobs set state = 'DEAD' where state = 'PARKED';
alter table seal_jobs add constraint seal_jobs_state check (state in ('WAITING', 'DONE', 'DEAD', 'DROPPED'));
create index seal_jobs_dead on seal_jobs (envelope_id) where state = 'DEAD';

alter table mails rename column sent_at to done_at;
alter table mails
  add column outages integer not null default 0,
  add column released integer not null default 0,
  drop constraint mails_state,
  drop constraint mails_secret_wiped;
update mails set wanted_at = created_at where wanted_at is null;
update mails set state = 'DEAD' where state = 'PARKED';
update mails set state = 'DONE' where state = 'SENT';
alter table mails
  alter column wanted_at set default sealwright_now(),
  alter column wanted_at set not null,
  add constraint mails_state check (state in ('HELD', 'WAITING', 'DONE', 'DEAD', 'DROPPED')),
  add constraint mails_secret_wiped check (state in ('HELD', 'WAITING', 'DEAD') or secret_box is null);
drop index mails_parked;
create index mails_dead on mails (envelope_id) where state = 'DEAD';
drop index mails_settled;
create index mails_settled on mails (due_at) where state in ('DONE', 'DROPPED', 'DEAD');

-- The facts that receivers are sent, rendered once. The body is the exact text; messages and NATS carry ids only.
create table events (
  org_id      uuid not null references organisations,
  id          uuid not null,
  -- In the order of recording.
  seq         bigint generated always as identity,
  envelope_id uuid not null,
  type        text not null,
  body        text not null,
  created_at  timestamptz not null default sealwright_now(),
  -- Null while it is held: `envelope.completed` waits for the sealed copies.
  released_at timestamptz,
  primary key (org_id, id)
);
create index events_of_envelope on events (org_id, envelope_id);
create index events_held on events (created_at) where released_at is null;
create index events_by_age on events (created_at);

alter table events alter column org_id set statistics 0; -- as in 0021
alter table events enable row level security;
create policy own_organisation on events to sealwright_api using (org_id = sealwright_org()) with check (org_id = sealwright_org());
create policy every_organisation on events to sealwright_system using (true) with check (true);
grant select, insert on events to sealwright_api;
grant select, insert, update, delete on events to sealwright_system;

-- Relays share the outbox by partitions: rows of one envelope are in one partition, which one relay publishes at a time.
alter table outbox rename column lane to partition;
alter table outbox rename constraint outbox_lane_range to outbox_partition_range;
