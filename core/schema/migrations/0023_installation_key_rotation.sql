-- What is kept of installation keys that were replaced, encrypted with the one in use: the keys with which rows of the audit trail, printed verification codes
-- and the mark of the object store were made, which never change. Only the owner of the database replaces a key.
-- compatible from: 0019
create table retired_installation_keys (
  proof      bytea primary key,
  box        bytea not null,
  retired_at timestamptz not null default sealwright_now()
);

grant select on retired_installation_keys to sealwright_api, sealwright_system;
