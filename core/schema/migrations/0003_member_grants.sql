-- What a member of the organisation may do in a workspace. Admins need no row: they may do everything everywhere.
create table member_grants (
  org_id       uuid not null,
  person_id    uuid not null,
  workspace_id uuid not null,
  permissions  text[] not null constraint member_grants_known check (
    permissions <@ array['envelope:read', 'envelope:create', 'envelope:send', 'envelope:cancel', 'document:download']),
  primary key (org_id, person_id, workspace_id),
  foreign key (org_id, person_id) references people on delete cascade,
  foreign key (org_id, workspace_id) references workspaces on delete cascade
);
alter table member_grants enable row level security;
create policy own_organisation on member_grants to sealwright_api using (org_id = sealwright_org()) with check (org_id = sealwright_org());
create policy every_organisation on member_grants to sealwright_system using (true) with check (true);
grant select, insert, update, delete on member_grants to sealwright_api, sealwright_system;
