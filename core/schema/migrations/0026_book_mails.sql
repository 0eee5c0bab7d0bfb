-- Since when a mail is to go out, where that is not when it was made: it was held until its signer's turn, or put off over the quota of its hour. Each
-- failed try moves due_at ahead, so that this alone tells for how long a mail has waited.
alter table mails add column wanted_at timestamptz;
update mails set wanted_at = due_at where state = 'WAITING' and due_at > created_at;

-- Mails that nobody could be refused are counted where they are made. What goes over the quota of its hour waits for the next hour that has room, after all
-- that waits already; so no hour mails more than the quota, and none is lost. What waits takes half of a later hour at most: the rest is for those who send
-- and sign then.
create function book_mails(org uuid, mails_in_turn uuid[], quota bigint) returns void
language plpgsql volatile as $$
declare
  hour timestamptz := date_trunc('hour', sealwright_now());
  remaining integer := cardinality(mails_in_turn); -- the last ones
  in_use bigint;
  room bigint := quota;
begin
  loop
    insert into quota_windows as w (org_id, dimension, starts_at, used)
    values (org, 'EMAILS_PER_HOUR', hour, remaining)
    on conflict (org_id, dimension, starts_at) do update set used = w.used + excluded.used
    returning used into in_use;
    exit when quota = 0 or in_use <= room;
    remaining := least(in_use - room, remaining);
    update quota_windows
    set used = used - remaining
    where org_id = org and dimension = 'EMAILS_PER_HOUR' and starts_at = hour;
    -- Whoever books a later hour holds this one until the commit, so what is read here is the last.
    select greatest(hour + interval '1 hour', max(starts_at)) into hour
    from quota_windows
    where org_id = org and dimension = 'EMAILS_PER_HOUR';
    update mails
    set due_at = hour, wanted_at = hour
    where org_id = org and id = any (mails_in_turn[cardinality(mails_in_turn) - remaining + 1:]);
    room := greatest(1, quota / 2);
  end loop;
end $$;
