-- Quotas are held where they are counted: whoever goes over one fails within the server, so that the count can travel with the commit and nobody keeps a
-- row that others need while a process compares numbers.
create function within_quota(used bigint, added bigint, quota bigint, dimension text, retry_after_seconds integer) returns bigint
language plpgsql volatile as $$ -- after a sort, so that of several the first one fails
begin
  if quota > 0 and used > quota then
    raise exception 'The quota % is used up.', dimension using errcode = 'SWQTA', detail = json_build_object(
      'dimension', dimension, 'limit', quota, 'current', used - added, 'retryAfterSeconds', retry_after_seconds)::text;
  end if;
  return used;
end $$;
