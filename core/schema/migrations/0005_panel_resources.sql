-- What admins keep in order in the panel: the organisation's own choices, workspaces with names of their own, and the key that seals now.
alter table organisations
  add column locale text not null default 'en' constraint organisations_locale check (locale in ('en', 'de')),
  -- Days that sealed files are kept after the end of their envelope. Null: as the installation is set.
  add column retention_days integer constraint organisations_retention_range check (retention_days between 30 and 3650);

-- Names are told apart by their letters, whatever their case and however their accents are encoded.
create unique index workspaces_name_unique on workspaces (org_id, lower(normalize(name)));

-- When a key last began to seal: what tells the one that seals now from those that did before.
alter table signing_keys add column sealing_since timestamptz not null default sealwright_now();

-- The code maps these to errors, so they have names: a workspace may go, and a person, while somebody refers to it.
alter table envelopes rename constraint envelopes_org_id_workspace_id_fkey to envelopes_workspace;
alter table credential_grants rename constraint credential_grants_org_id_workspace_id_fkey to credential_grants_workspace;
alter table member_grants rename constraint member_grants_org_id_workspace_id_fkey to member_grants_workspace;
alter table member_grants rename constraint member_grants_org_id_person_id_fkey to member_grants_person;
