-- That the documents of this installation have their store: it bears a mark made with the installation's key, and a store without it is another one. An owner
-- who has moved to a store without the mark deletes the row.
create table installation_store (
  only_one   boolean primary key default true constraint installation_store_only_one check (only_one),
  created_at timestamptz not null default sealwright_now()
);
grant select, insert on installation_store to sealwright_api, sealwright_system;
