-- Facts about envelopes for receivers, rendered once: `body` is the exact text. Messages and NATS carry ids only.

create table events (
  org_id      uuid not null references organisations,
  id          uuid not null,
  -- In the order of recording.
  seq         bigint generated always as identity,
  envelope_id uuid not null,
  type        text not null,
  -- Null when it could not be rendered.
  body        text,
  build_error text,
  created_at  timestamptz not null default sealwright_now(),
  -- Null while it is held: `envelope.completed` waits for the sealed copies.
  released_at timestamptz,
  -- The W3C traceparent of what recorded it.
  trace_parent text,
  primary key (org_id, id),
  constraint events_body check ((body is null) <> (build_error is null))
);
create index events_of_envelope on events (org_id, envelope_id);
create index events_held on events (created_at) where released_at is null;
create index events_by_age on events (created_at);

select isolate_by_organisation('events');
grant select, insert on events to sealwright_api;
grant select, insert, update, delete on events to sealwright_system;
