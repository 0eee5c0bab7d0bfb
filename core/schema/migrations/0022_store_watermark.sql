-- How far database and object store have come together. The controller raises the number and then writes it to the store, so neither is ever more than one
-- ahead of the other, unless one of them was restored to an earlier time.
-- compatible from: 0019
create table store_watermark (
  only_one  boolean primary key default true constraint store_watermark_only_one check (only_one),
  number    bigint not null,
  raised_at timestamptz not null default sealwright_now()
);

grant select, insert, update on store_watermark to sealwright_system;
