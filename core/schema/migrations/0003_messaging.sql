-- Messages are written in the transaction that they follow from; the relay publishes them after the commit, in order.

create table outbox (
  id           bigint generated always as identity primary key,
  org_id       uuid not null,
  subject      text not null,
  body         jsonb not null,
  -- Relays share the outbox by partitions. All rows of an envelope are in one partition, which one relay publishes at a time, so their order is kept.
  partition    smallint not null default 0 constraint outbox_partition_range check (partition between 0 and 15),
  -- The W3C traceparent of the request that wrote the row, so that one signature is one trace up to its stored seal.
  trace_parent text,
  created_at   timestamptz not null default sealwright_now(),
  published_at timestamptz
);
create index outbox_waiting on outbox (partition, id) where published_at is null;
create index outbox_published on outbox (published_at) where published_at is not null; -- for clean-up

select isolate_by_organisation('outbox');
grant select, insert, update, delete on outbox to sealwright_api, sealwright_system;

-- Wakes the relays when the transaction commits.
create function notify_outbox() returns trigger language plpgsql as
  $$ begin notify sealwright_outbox; return null; end $$;
create trigger outbox_notify after insert on outbox for each statement execute function notify_outbox();
