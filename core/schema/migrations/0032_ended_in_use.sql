-- What every read shows as gone takes no room any more, though its row stands until a sweep has been there: quotas are counted as if it had. Only who
-- would be refused asks for it, and who wants to know what is in use.

-- The owner's functions read past the wall that hides drafts whose time has passed, and draw the one between organisations themselves. `offset 0` keeps the
-- indexes of the sweeps in use.
create function ended_open_envelopes(org uuid) returns bigint
  language sql stable security definer set search_path = public, pg_temp as
$$
  select count(*)
  from (
    select org_id
    from envelopes
    where status in ('DRAFT', 'SENT', 'IN_PROGRESS') and lapses_at <= sealwright_now() and (drops_at is null or lapses_at <= drops_at)
    union all
    select org_id
    from envelopes
    where drops_at <= sealwright_now() and (lapses_at is null or lapses_at > drops_at)
    offset 0) e
  where org_id = org and org = coalesce(sealwright_org(), org)
$$;

-- Uploads that nobody attached within `upload_seconds`, and documents of drafts that nobody touched in time.
create function ended_storage_bytes(org uuid, upload_seconds double precision) returns bigint
  language sql stable security definer set search_path = public, pg_temp as
$$
  select coalesce(sum(size_bytes), 0)::bigint
  from (
    select org_id, size_bytes
    from documents
    where envelope_id is null and created_at <= sealwright_now() - make_interval(secs => upload_seconds)
    union all
    select d.org_id, d.size_bytes
    from (
      select org_id, id
      from envelopes
      where drops_at <= sealwright_now() and (lapses_at is null or lapses_at > drops_at)
      offset 0) e
    join documents d on d.org_id = e.org_id and d.envelope_id = e.id
    offset 0) s
  where org_id = org and org = coalesce(sealwright_org(), org)
$$;

-- The row is locked first. What a sweep has ended meanwhile is then in both numbers, or in neither.
create function take_open_envelope(org uuid, quota bigint, retry_after_seconds integer) returns void language plpgsql as
$$
declare
  used bigint;
begin
  update organisations set open_envelopes = open_envelopes + 1 where id = org returning open_envelopes into used;
  if quota > 0 and used > quota then
    perform within_quota(used - ended_open_envelopes(org), 1, quota, 'OPEN_ENVELOPES', retry_after_seconds);
  end if;
end
$$;

create function take_storage(org uuid, bytes bigint, quota bigint, upload_seconds double precision, retry_after_seconds integer) returns void
  language plpgsql as
$$
declare
  used bigint;
begin
  update organisations set storage_bytes = storage_bytes + bytes where id = org returning storage_bytes into used;
  if quota > 0 and used > quota then
    perform within_quota(used - ended_storage_bytes(org, upload_seconds), bytes, quota, 'STORAGE_BYTES', retry_after_seconds);
  end if;
end
$$;

revoke execute on function ended_open_envelopes, ended_storage_bytes from public;
grant execute on function ended_open_envelopes, ended_storage_bytes to sealwright_api, sealwright_system;
