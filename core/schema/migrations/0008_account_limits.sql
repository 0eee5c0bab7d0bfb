-- How much an organisation may use: quotas, rates, and the stored responses of retried requests.

-- Quotas over a window of time: one row for each organisation, dimension and window.
create table quota_windows (
  org_id     uuid not null references organisations,
  dimension  text not null,
  starts_at  timestamptz not null,
  used       integer not null constraint quota_windows_used_positive check (used >= 0),
  primary key (org_id, dimension, starts_at)
);

-- Raises SWQTA when a quota is exceeded. The check runs within the server, so that the count can travel with the commit and no process holds a row that
-- others need while it compares numbers.
create function within_quota(used bigint, added bigint, quota bigint, dimension text, retry_after_seconds integer) returns bigint
language plpgsql volatile as $$ -- volatile: evaluated after a sort, so that of several the first one fails
begin
  if quota > 0 and used > quota then
    raise exception 'The quota % is used up.', dimension using errcode = 'SWQTA', detail = json_build_object(
      'dimension', dimension, 'limit', quota, 'current', used - added, 'retryAfterSeconds', retry_after_seconds)::text;
  end if;
  return used;
end $$;

-- Responses kept for retries: one row for each Idempotency-Key that a credential has used with an operation. The row is written in the transaction of
-- the request's effect, so neither exists without the other.
create table idempotency_keys (
  org_id      uuid not null references organisations,
  -- A hash of credential, operation and key: none of them can be read from it.
  key_hash    bytea not null,
  -- An HMAC of the request, to recognise another request under the same key.
  fingerprint bytea not null,
  -- Status and body, encrypted: the response to a send holds signing tokens.
  answer_box  bytea not null,
  created_at  timestamptz not null default sealwright_now(),
  primary key (org_id, key_hash)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);

select isolate_by_organisation(owned) from unnest(array['quota_windows', 'idempotency_keys']::regclass[]) owned;
grant select, insert, update, delete on quota_windows, idempotency_keys to sealwright_api, sealwright_system;

-- Token buckets of the rates and of the request quota, shared by all replicas. Unlogged: a crash of the database fills every bucket and loses nothing else;
-- in return a permit costs no flush to disk. The API uses them through the two functions only: it can neither read nor reset one.
create unlogged table rates (
  -- A hash of the rate's name and of what it counts: neither an address nor a token can be read from it.
  key         bytea primary key,
  -- When the bucket will be full; each permit postpones it by one step. In the past: it is full.
  full_at     timestamptz not null,
  -- How many permits the latest take got.
  granted     integer not null,
  -- Permits of this minute and of the one before, for the use of the last 60 seconds.
  minute      timestamptz not null,
  used        integer not null,
  used_before integer not null
) with (fillfactor = 50); -- room for updates that touch no index
alter table rates enable row level security;
create policy every_organisation on rates to sealwright_system using (true) with check (true);
grant select, update, delete on rates to sealwright_system;

-- Takes up to `wanted` permits from a bucket that holds `burst` and refills with `per_minute`, after putting `returned` back. One statement under
-- the row's lock, so no permit is given twice. A clock that was set back locks no caller out: a bucket is never emptier than empty.
create function take_permits(wanted_key bytea, per_minute integer, burst integer, wanted integer, returned integer)
  returns table (granted integer, remaining integer, recent integer, retry_after_ms integer)
  language plpgsql volatile security definer set search_path = public, pg_temp as
$$
#variable_conflict use_column
declare
  at          constant timestamptz := sealwright_now();
  this_minute constant timestamptz := date_trunc('minute', at);
  step        constant interval := make_interval(secs => 60.0 / per_minute);
  step_secs   constant numeric := extract(epoch from step);
  -- The full_at of an empty bucket.
  empty_at    constant timestamptz := at + burst * step;
begin
  return query
    insert into rates as r (key, full_at, granted, minute, used, used_before)
    select wanted_key, at + take * step, take, this_minute, take, 0 from (select least(wanted, burst)) as fresh (take)
    on conflict (key) do update set (full_at, granted, minute, used, used_before) = (
      select base + take * step, take, this_minute,
        take + case when r.minute = this_minute then greatest(0, r.used - returned) else 0 end,
        case r.minute when this_minute then r.used_before when this_minute - interval '1 minute' then r.used else 0 end
      from (select greatest(at, least(r.full_at, empty_at) - returned * step)) as bucket (base)
      cross join lateral (select least(wanted, floor(extract(epoch from empty_at - base) / step_secs))::integer) as allowed (take)
    )
    returning r.granted,
      floor(extract(epoch from empty_at - r.full_at) / step_secs)::integer,
      r.used + round(r.used_before * (1 - extract(second from at) / 60))::integer,
      greatest(0, ceil(1000 * extract(epoch from r.full_at + step - empty_at)))::integer;
end
$$;

-- How many permits of a bucket were taken in the last 60 seconds; those of the minute before count as evenly spread.
create function recent_permits(wanted_key bytea) returns integer
  language sql stable security definer set search_path = public, pg_temp as
$$
  select case date_trunc('minute', sealwright_now()) - r.minute
    when interval '0' then r.used + round(r.used_before * part.left_over)
    when interval '1 minute' then round(r.used * part.left_over)
    else 0 end::integer
  from rates r, (select 1 - extract(second from sealwright_now()) / 60 as left_over) as part
  where r.key = wanted_key
$$;

revoke execute on function take_permits, recent_permits from public;
grant execute on function take_permits, recent_permits to sealwright_api, sealwright_system;
