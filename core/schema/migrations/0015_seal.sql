-- Sealing: one job for each envelope (see core/work), inserted in the transaction of the last signature, and one sealed copy of each document.

create table seal_jobs (
  org_id       uuid not null,
  envelope_id  uuid not null,
  -- DROPPED: the envelope was archived before it was sealed.
  state        text not null default 'WAITING' constraint seal_jobs_state check (state in ('WAITING', 'DONE', 'DEAD', 'DROPPED')),
  wanted_at    timestamptz not null default sealwright_now(),
  due_at       timestamptz not null default sealwright_now(),
  leased_until timestamptz,
  -- Every run has a number of its own, taken before the work begins. Of these runs: how many failed because of the envelope, met an outage, or were released
  -- by a worker that was asked to stop.
  attempts     integer not null default 0,
  failures     integer not null default 0,
  outages      integer not null default 0,
  released     integer not null default 0,
  last_error   text,
  done_at      timestamptz,
  -- The W3C traceparent of the last signature.
  trace_parent text,
  primary key (org_id, envelope_id),
  foreign key (org_id, envelope_id) references envelopes on delete cascade
);
create index seal_jobs_due on seal_jobs (due_at) where state = 'WAITING';
create index seal_jobs_dead on seal_jobs (envelope_id) where state = 'DEAD'; -- as mails_dead

create table sealed_documents (
  org_id      uuid not null,
  document_id uuid not null,
  envelope_id uuid not null,
  storage_key text not null,
  sha256      bytea not null,
  size_bytes  bigint not null,
  fingerprint text not null references seal_certificates,
  sealed_at   timestamptz not null,
  -- The bytes that the seal appends, kept until the copy is stored: a second run stores the same bytes and never makes a second file. They are
  -- compressed already, so Postgres does not try to.
  increment   bytea,
  stored_at   timestamptz,
  -- What the sealed copy says of the audit trail: the row `envelope.completed`.
  audit_seq   integer,
  audit_hash  bytea,
  primary key (org_id, document_id),
  foreign key (org_id, document_id) references documents on delete cascade,
  constraint sealed_documents_stored check ((stored_at is null) = (increment is not null)),
  constraint sealed_documents_audit check ((audit_seq is null) = (audit_hash is null))
);
alter table sealed_documents alter column increment set storage external;
create index sealed_documents_by_envelope on sealed_documents (org_id, envelope_id);
-- Whether a sealed file has a row: for the sweep of orphaned objects, and for the public check of a file.
create index sealed_documents_by_content on sealed_documents (org_id, sha256);

select isolate_by_organisation(owned) from unnest(array['seal_jobs', 'sealed_documents']::regclass[]) owned;
grant select, insert, update, delete on seal_jobs, sealed_documents to sealwright_api, sealwright_system;
