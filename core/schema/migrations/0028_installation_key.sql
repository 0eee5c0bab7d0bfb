-- What every process sees at its start whether it has the key of this installation by: a value made with the key, which tells nothing of it. Whoever starts
-- first with this schema writes it; an owner who has changed the key on purpose deletes it.
create table installation_key (
  only_one   boolean primary key default true constraint installation_key_only_one check (only_one),
  proof      bytea not null,
  created_at timestamptz not null default sealwright_now()
);
grant select, insert on installation_key to sealwright_api, sealwright_system;
