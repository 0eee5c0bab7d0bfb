-- What identifies this installation. Each table has one row, which the first process that starts with this schema inserts.

-- Lets a process check at its start that it has the installation's key: a value made with the key that does not reveal it. After a deliberate change of
-- the key the database's owner deletes the row.
create table installation_key (
  only_one   boolean primary key default true constraint installation_key_only_one check (only_one),
  proof      bytea not null,
  created_at timestamptz not null default sealwright_now()
);

-- Says that the object store has been marked with the installation's key; from then on a store without that mark is refused. After a move to a store
-- without the mark the database's owner deletes the row.
create table installation_store (
  only_one   boolean primary key default true constraint installation_store_only_one check (only_one),
  created_at timestamptz not null default sealwright_now()
);

grant select, insert on installation_key, installation_store to sealwright_api, sealwright_system;
