-- Answers kept for retries: one row for each Idempotency-Key that an organisation's credential has used with an operation. The row is written in
-- the transaction of the request's effect, so there is never one without the other.
create table idempotency_keys (
  org_id      uuid not null references organisations,
  -- Over credential, operation and key: none of them can be read here.
  key_hash    bytea not null,
  -- An HMAC over what the request said, to tell another request under the same key.
  fingerprint bytea not null,
  -- Status and body, encrypted: the answer to a send holds signing tokens.
  answer_box  bytea not null,
  created_at  timestamptz not null default sealwright_now(),
  primary key (org_id, key_hash)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);

alter table idempotency_keys enable row level security;
create policy own_organisation on idempotency_keys to sealwright_api using (org_id = sealwright_org()) with check (org_id = sealwright_org());
create policy every_organisation on idempotency_keys to sealwright_system using (true) with check (true);
grant select, insert, update, delete on idempotency_keys to sealwright_api, sealwright_system;
