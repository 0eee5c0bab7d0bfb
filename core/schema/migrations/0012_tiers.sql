-- What several processes need that one did not.

-- Every process looks whether the schema is what it knows.
grant select on migrations to sealwright_api, sealwright_system;

-- Several relays share the outbox by lanes: rows of one envelope are in one lane, and a lane is with one relay at a time, so their order is kept.
alter table outbox add column lane smallint not null default 0 constraint outbox_lane_range check (lane between 0 and 15);
drop index outbox_waiting;
create index outbox_waiting on outbox (lane, id) where published_at is null;

-- The W3C traceparent of what queued the work, so that one signature is one trace up to its stored seal, whoever does the work and when.
alter table outbox add column trace_parent text;
alter table seal_intents add column trace_parent text;
alter table mails add column trace_parent text;

-- Whether a sealed file has a row: asked by the sweep of orphans, and by the hash of a file in somebody's hands.
create index sealed_documents_by_content on sealed_documents (org_id, sha256);
