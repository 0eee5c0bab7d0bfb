-- Token buckets of the rates and of the request quota, shared by all replicas. Unlogged: a crash of the database fills every bucket, and nothing
-- else is lost; in return a permit costs no flush to disk. The API reaches them by these functions alone: it can neither read nor reset one.
create unlogged table rates (
  -- A hash of the rate's name and of whom it counts: neither an address nor a token can be read here.
  key         bytea primary key,
  -- When the bucket is full again; every permit moves it on by one step. In the past: it is full.
  full_at     timestamptz not null,
  -- How many permits the latest take was given.
  granted     integer not null,
  -- Permits of this minute and of the one before, to tell the use of the last 60 seconds.
  minute      timestamptz not null,
  used        integer not null,
  used_before integer not null
) with (fillfactor = 50); -- room for updates that touch no index

-- Takes up to `wanted` permits from a bucket that holds `burst` and refills with `per_minute`, after putting `returned` back. One statement under
-- the row's lock, so replicas can never share a permit. A clock that was set back locks nobody out: a bucket is never emptier than empty.
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

-- How many permits of a bucket went in the last 60 seconds, taking those of the minute before as evenly spread.
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

alter table rates enable row level security;
create policy every_organisation on rates to sealwright_system using (true) with check (true);
grant select, update, delete on rates to sealwright_system;
revoke execute on function take_permits, recent_permits from public;
grant execute on function take_permits, recent_permits to sealwright_api, sealwright_system;
