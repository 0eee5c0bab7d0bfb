-- The sealed audit report of an envelope that has ended: one job for each (see core/work), and what it made.

create table audit_reports (
  org_id       uuid not null,
  envelope_id  uuid not null,
  -- DROPPED: the envelope was archived before its report was stored.
  state        text not null default 'WAITING' constraint audit_reports_state check (state in ('WAITING', 'DONE', 'DEAD', 'DROPPED')),
  wanted_at    timestamptz not null default sealwright_now(),
  due_at       timestamptz not null default sealwright_now(),
  leased_until timestamptz,
  attempts     integer not null default 0,
  failures     integer not null default 0,
  outages      integer not null default 0,
  released     integer not null default 0,
  last_error   text,
  done_at      timestamptz,
  trace_parent text,
  storage_key  text,
  sha256       bytea,
  fingerprint  text references seal_certificates,
  sealed_at    timestamptz,
  -- The last entry of the audit trail that is in the report.
  audit_seq    integer,
  audit_hash   bytea,
  -- The file, kept until it is stored: a second run stores the same bytes. It is compressed already, so Postgres does not try to.
  pdf          bytea,
  primary key (org_id, envelope_id),
  foreign key (org_id, envelope_id) references envelopes on delete cascade,
  constraint audit_reports_made check (num_nulls(storage_key, sha256, fingerprint, sealed_at, audit_seq, audit_hash) in (0, 6)),
  constraint audit_reports_stored check (state <> 'DONE' or (sha256 is not null and pdf is null))
);
alter table audit_reports alter column pdf set storage external;
create index audit_reports_due on audit_reports (due_at) where state = 'WAITING';
create index audit_reports_dead on audit_reports (envelope_id) where state = 'DEAD'; -- as mails_dead
-- Whether a stored file has a row: for the sweep of orphaned objects.
create index audit_reports_by_content on audit_reports (org_id, sha256);

select isolate_by_organisation('audit_reports');
grant select, insert, update, delete on audit_reports to sealwright_api, sealwright_system;
