-- The keys that seal: logical keys with their versions, what the seal workers have loaded, and the certificates that have sealed.
-- A private key is stored here only encrypted with the installation key (`box`). Those in Kubernetes Secrets and in the file of the settings are not stored.

-- Every certificate that has sealed here, for ever: verification trusts exactly these.
create table seal_certificates (
  fingerprint      text primary key,
  certificate      bytea not null,
  -- The issuers' certificates as PEM, nearest first.
  chain            text not null,
  origin           text not null constraint seal_certificates_origin check (origin in ('SELF_MADE', 'IMPORTED')),
  created_at       timestamptz not null default sealwright_now(),
  -- When a version with this certificate last became active.
  sealing_since    timestamptz not null default sealwright_now(),
  compromised_from timestamptz
);

create table signing_keys (
  id                uuid primary key,
  -- Null: for the whole installation. No foreign key: a key is kept with the certificates that it used.
  org_id            uuid,
  origin            text not null constraint signing_keys_origin check (origin in ('API', 'KUBERNETES')),
  provider_type     text not null constraint signing_keys_provider check (provider_type in ('INSTALLATION', 'PKCS12', 'SELF_SIGNED', 'CERT_MANAGER')),
  -- RETIRED is final.
  state             text not null constraint signing_keys_state check (state in ('STANDBY', 'ACTIVE', 'RETIRED')),
  created_at        timestamptz not null default sealwright_now(),
  compromised_since timestamptz,
  -- The certificate of the key file that a worker registered last; only of the installation's own key.
  file_fingerprint  text,
  -- The last request of a rotation that was handled.
  handled_request   text,
  -- When it was last in use, if it was in use with a certificate that this installation did not make itself: later seals need at least this trust.
  trusted_until     timestamptz,
  -- Incremented by every change of the key, its versions or its loads.
  row_version       bigint not null default 1,
  -- The Kubernetes object that decides about it.
  object_namespace  text,
  object_name       text,
  object_uid        uuid constraint signing_keys_object_unique unique,
  object_generation bigint,
  object_created_at timestamptz,
  -- The object disappeared without a deletion.
  orphaned_at       timestamptz,
  constraint signing_keys_object check (num_nulls(object_namespace, object_name, object_uid, object_generation, object_created_at) in (0, 5)),
  constraint signing_keys_installation check (provider_type <> 'INSTALLATION' or (origin = 'API' and org_id is null and state = 'ACTIVE'))
);
create unique index signing_keys_one_installation on signing_keys (provider_type) where provider_type = 'INSTALLATION';
-- At most one active key for an organisation and for the installation, beside the installation's own.
create unique index signing_keys_one_active on signing_keys (coalesce(org_id, '00000000-0000-0000-0000-000000000000'))
  where state = 'ACTIVE' and provider_type <> 'INSTALLATION';
create index signing_keys_by_organisation on signing_keys (org_id);

create table signing_key_versions (
  key_id          uuid not null references signing_keys on delete cascade,
  version         integer not null constraint signing_key_versions_number check (version > 0),
  -- ANNOUNCED: workers load it. FAILED: they cannot use it. RETIRED: another version replaced it, or was announced before it became active.
  state           text not null default 'ANNOUNCED' constraint signing_key_versions_state check (state in ('ANNOUNCED', 'ACTIVE', 'RETIRED', 'FAILED')),
  self_made       boolean not null,
  -- The request of the rotation that announced it.
  request         text,
  -- Null until a worker has opened the key.
  fingerprint     text,
  certificate     bytea,
  chain           text,
  not_after       timestamptz,
  failure_reason  text,
  failure_message text,
  announced_at    timestamptz not null default sealwright_now(),
  activated_at    timestamptz,
  retired_at      timestamptz,
  -- When no job used it any more; until then workers keep it loaded.
  released_at     timestamptz,
  primary key (key_id, version),
  constraint signing_key_versions_opened check (num_nulls(fingerprint, certificate, chain, not_after) in (0, 4)),
  constraint signing_key_versions_active check (state <> 'ACTIVE' or (fingerprint is not null and activated_at is not null)),
  constraint signing_key_versions_failure check (state <> 'FAILED' or num_nulls(failure_reason, failure_message) = 0)
);
create unique index signing_key_versions_one_active on signing_key_versions (key_id) where state = 'ACTIVE';
create unique index signing_key_versions_one_next on signing_key_versions (key_id) where state in ('ANNOUNCED', 'FAILED');
create index signing_key_versions_by_certificate on signing_key_versions (fingerprint);

-- Where workers find the private key of a version. FILE: the key file of the settings or of the data folder. BOX: PEM, encrypted, in `box`.
-- SECRET: `reference` names a Kubernetes Secret.
create table signing_key_materials (
  key_id    uuid not null,
  version   integer not null,
  kind      text not null constraint signing_key_materials_kind check (kind in ('FILE', 'BOX', 'SECRET')),
  reference jsonb,
  box       bytea,
  primary key (key_id, version),
  foreign key (key_id, version) references signing_key_versions on delete cascade,
  constraint signing_key_materials_place check ((kind = 'SECRET') = (reference is not null) and (kind = 'BOX') = (box is not null))
);

-- The processes that seal. A row that was not updated for a while is of a process that crashed.
create table key_workers (
  id      uuid primary key,
  name    text not null,
  seen_at timestamptz not null default sealwright_now()
);

-- Which versions each of them has loaded and tried.
create table key_loads (
  key_id    uuid not null,
  version   integer not null,
  worker_id uuid not null references key_workers on delete cascade,
  outcome   text not null constraint key_loads_outcome check (outcome in ('LOADED', 'FAILED')),
  reason    text,
  message   text,
  at        timestamptz not null default sealwright_now(),
  primary key (key_id, version, worker_id),
  foreign key (key_id, version) references signing_key_versions on delete cascade,
  constraint key_loads_failure check ((outcome = 'FAILED') = (reason is not null and message is not null))
);
create index key_loads_of_worker on key_loads (worker_id);

-- A change of a key, of its versions and of its loads increments its row version.
create function count_signing_key_change() returns trigger language plpgsql as $$
begin
  new.row_version := old.row_version + 1;
  return new;
end $$;
create trigger signing_keys_changed before update on signing_keys
  for each row execute function count_signing_key_change();
create function touch_signing_key() returns trigger language plpgsql as $$
begin
  update signing_keys set id = id where id = coalesce(new.key_id, old.key_id);
  return null;
end $$;
create trigger signing_key_versions_changed after insert or update or delete on signing_key_versions
  for each row execute function touch_signing_key();
create trigger key_loads_counted after insert or delete on key_loads
  for each row execute function touch_signing_key();
-- A load that fails again in the same way is no change.
create trigger key_loads_changed after update on key_loads
  for each row when ((old.outcome, old.reason, old.message) is distinct from (new.outcome, new.reason, new.message)) execute function touch_signing_key();

-- An organisation sees its own keys and those of the installation.
alter table signing_keys enable row level security;
create policy own_and_shared on signing_keys to sealwright_api using (org_id is null or org_id = sealwright_org());
create policy every_organisation on signing_keys to sealwright_system using (true) with check (true);
alter table signing_keys alter column org_id set statistics 0;
alter table signing_key_versions enable row level security;
create policy of_visible_keys on signing_key_versions to sealwright_api using (exists (select from signing_keys k where k.id = key_id));
create policy every_organisation on signing_key_versions to sealwright_system using (true) with check (true);

grant select on seal_certificates, signing_keys, signing_key_versions to sealwright_api;
grant select, insert, update on seal_certificates to sealwright_system;
grant select, insert, update, delete on signing_keys, signing_key_versions, signing_key_materials, key_workers, key_loads to sealwright_system;
