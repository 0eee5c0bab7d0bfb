-- Envelopes with their documents and signers.

create table envelopes (
  org_id             uuid not null references organisations,
  id                 uuid not null,
  workspace_id       uuid not null,
  title              text not null constraint envelopes_title_length check (char_length(title) between 1 and 255),
  -- The title as searches compare it; see 0013_envelope_titles.sql.
  title_folded       text not null,
  message            text constraint envelopes_message_length check (char_length(message) <= 10000),
  status             text not null default 'DRAFT' constraint envelopes_status check (
    status in ('DRAFT', 'SENT', 'IN_PROGRESS', 'COMPLETED', 'CANCELLED', 'EXPIRED')),
  labels             jsonb not null default '{}',
  otp_required       boolean not null,
  sequential_signing boolean not null,
  link_ttl_seconds   integer not null constraint envelopes_link_ttl check (link_ttl_seconds > 0),
  created_at         timestamptz not null default sealwright_now(),
  created_by         text,
  touched_at         timestamptz not null default sealwright_now(),
  sent_at            timestamptz,
  ended_at           timestamptz,
  -- Set by the sender.
  expires_at         timestamptz,
  -- When it expires: expires_at, or earlier, when the last open link expires. Null: never.
  lapses_at          timestamptz,
  -- When a draft is deleted unless it is changed before.
  drops_at           timestamptz,
  -- A legal hold: since when the documents may not be deleted.
  held_at            timestamptz,
  -- The documents can no longer be read by anyone, and then their bytes are deleted.
  archived_at        timestamptz,
  erased_at          timestamptz,
  primary key (org_id, id),
  constraint envelopes_workspace foreign key (org_id, workspace_id) references workspaces,
  constraint envelopes_ended check ((ended_at is not null) = (status in ('COMPLETED', 'CANCELLED', 'EXPIRED'))),
  constraint envelopes_dropped check (drops_at is null or status = 'DRAFT'),
  constraint envelopes_archived check (archived_at is null or ended_at is not null),
  constraint envelopes_erased check (erased_at is null or archived_at is not null)
) with (
  -- An index-only scan visits the table for every page that was written since its last vacuum; by default a fifth of a large table may have been.
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02
);

-- For the sweeps of the controller, each of which finds its rows in one index. The first two also serve the counts (0012_envelope_lists.sql).
create index envelopes_by_lapse on envelopes (lapses_at) include (org_id, workspace_id, status, drops_at)
  where status in ('DRAFT', 'SENT', 'IN_PROGRESS');
create index envelopes_to_drop on envelopes (drops_at) include (org_id, workspace_id, lapses_at) where drops_at is not null;
-- Finds drafts whose lifetime was computed from another setting than today's.
create index envelopes_by_draft_life on envelopes ((drops_at - touched_at)) where drops_at is not null;
create index envelopes_to_archive on envelopes (org_id, ended_at) where ended_at is not null and archived_at is null and held_at is null;
create index envelopes_to_erase on envelopes (archived_at) where archived_at is not null and erased_at is null;

create table documents (
  org_id       uuid not null references organisations,
  id           uuid not null,
  -- Null until the document is attached to a draft.
  envelope_id  uuid,
  position     integer,
  filename     text not null constraint documents_filename_length check (octet_length(filename) between 1 and 255),
  size_bytes   bigint not null constraint documents_size check (size_bytes > 0),
  sha256       bytea not null,
  -- Only when the upload was normalised: what was irregular, and the hash of the file as it was uploaded.
  normalised_reason text,
  upload_sha256     bytea,
  storage_key  text not null,
  -- What the inspection of the upload found: pages, markers and everything that the seal needs from the original.
  inspection   jsonb not null,
  -- Where the seals of the usual sets of signers go; and what is on the pages, to place those of other sets.
  seal_places  jsonb not null default '{}',
  page_ink     jsonb not null default '[]',
  created_at   timestamptz not null default sealwright_now(),
  created_by   text,
  stored_at    timestamptz,
  primary key (org_id, id),
  foreign key (org_id, envelope_id) references envelopes on delete cascade,
  constraint documents_attached check ((envelope_id is null) = (position is null)),
  constraint documents_normalised check ((normalised_reason is null) = (upload_sha256 is null)),
  constraint documents_position_unique unique (org_id, envelope_id, position)
);
create index documents_unattached on documents (created_at) where envelope_id is null;

create table signers (
  org_id      uuid not null,
  id          uuid not null,
  envelope_id uuid not null,
  email       text not null,
  name        text not null constraint signers_name_length check (char_length(name) between 1 and 255),
  sign_order  integer not null constraint signers_sign_order_range check (sign_order between 1 and 999),
  status      text not null default 'PENDING' constraint signers_status check (
    status in ('PENDING', 'SENT', 'VIEWED', 'SIGNED', 'EXPIRED', 'CANCELLED')),
  viewed_at   timestamptz,
  signed_at   timestamptz,
  primary key (org_id, id),
  foreign key (org_id, envelope_id) references envelopes on delete cascade,
  constraint signers_sign_order_unique unique (org_id, envelope_id, sign_order),
  constraint signers_signed check ((status = 'SIGNED') = (signed_at is not null))
);

select isolate_by_organisation(owned) from unnest(array['envelopes', 'documents', 'signers']::regclass[]) owned;
grant select, insert, update, delete on envelopes, documents, signers to sealwright_api, sealwright_system;
-- A draft whose time is over is gone for every read and every check, whether or not the sweep has deleted it. One that expired before stays.
alter policy own_organisation on envelopes
  using (org_id = sealwright_org() and (drops_at is null or drops_at > sealwright_now() or lapses_at <= drops_at));

-- What a reader sees: an envelope whose time is over has expired, whether or not the sweep has updated it.
create function shown_status(status text, lapses_at timestamptz) returns text language sql stable as
  $$ select case when status in ('DRAFT', 'SENT', 'IN_PROGRESS') and lapses_at <= sealwright_now() then 'EXPIRED' else status end $$;

-- The quotas of what is in use: what readers see as gone does not count, although the sweeps have not yet subtracted it from the organisation's row. Only
-- a request that would exceed the quota, and the display of what is in use, compute this difference.

-- The two functions read past the policy that hides drafts whose time is over, and compare the organisation themselves. `offset 0` keeps the planner on the
-- indexes of the sweeps.
create function ended_open_envelopes(org uuid) returns bigint
  language sql stable security definer set search_path = public, pg_temp as
$$
  select count(*)
  from (
    select org_id
    from envelopes
    where status in ('DRAFT', 'SENT', 'IN_PROGRESS') and lapses_at <= sealwright_now() and (drops_at is null or lapses_at <= drops_at)
    union all
    select org_id
    from envelopes
    where drops_at <= sealwright_now() and (lapses_at is null or lapses_at > drops_at)
    offset 0) e
  where org_id = org and org = coalesce(sealwright_org(), org)
$$;

-- Uploads that were not attached within `upload_seconds`, and documents of drafts whose time is over.
create function ended_storage_bytes(org uuid, upload_seconds double precision) returns bigint
  language sql stable security definer set search_path = public, pg_temp as
$$
  select coalesce(sum(size_bytes), 0)::bigint
  from (
    select org_id, size_bytes
    from documents
    where envelope_id is null and created_at <= sealwright_now() - make_interval(secs => upload_seconds)
    union all
    select d.org_id, d.size_bytes
    from (
      select org_id, id
      from envelopes
      where drops_at <= sealwright_now() and (lapses_at is null or lapses_at > drops_at)
      offset 0) e
    join documents d on d.org_id = e.org_id and d.envelope_id = e.id
    offset 0) s
  where org_id = org and org = coalesce(sealwright_org(), org)
$$;
revoke execute on function ended_open_envelopes, ended_storage_bytes from public;
grant execute on function ended_open_envelopes, ended_storage_bytes to sealwright_api, sealwright_system;

-- The organisation's row is locked first: what a sweep ends meanwhile is then subtracted from both numbers or from neither. It is updated only within the
-- quota: when an update of a row is rolled back that others lock for their foreign keys, Postgres 18 can fail the next one with "new multixact has more than
-- one updating member".
create function take_open_envelope(org uuid, quota bigint, retry_after_seconds integer) returns void language plpgsql as
$$
declare
  used bigint;
begin
  select open_envelopes + 1 into used from organisations where id = org for no key update;
  if quota > 0 and used > quota then
    perform within_quota(used - ended_open_envelopes(org), 1, quota, 'OPEN_ENVELOPES', retry_after_seconds);
  end if;
  update organisations set open_envelopes = used where id = org;
end
$$;

create function take_storage(org uuid, bytes bigint, quota bigint, upload_seconds double precision, retry_after_seconds integer) returns void
  language plpgsql as
$$
declare
  used bigint;
begin
  select storage_bytes + bytes into used from organisations where id = org for no key update;
  if quota > 0 and used > quota then
    perform within_quota(used - ended_storage_bytes(org, upload_seconds), bytes, quota, 'STORAGE_BYTES', retry_after_seconds);
  end if;
  update organisations set storage_bytes = used where id = org;
end
$$;
