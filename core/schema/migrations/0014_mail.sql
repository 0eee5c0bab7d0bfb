-- Emails as jobs (see core/work). A mail goes to a signer about an envelope, or to a person about the panel.

create table mails (
  org_id       uuid not null,
  id           uuid not null,
  template     text not null constraint mails_template check (
    template in ('SIGNING_LINK', 'ONE_TIME_CODE', 'COMPLETED', 'PANEL_SETUP', 'PASSWORD_CHANGED', 'WEBHOOK_DISABLED', 'WEBHOOK_ENABLED')),
  envelope_id  uuid,
  signer_id    uuid,
  person_id    uuid,
  -- A secret that the text needs (link token, code), encrypted; deleted when the mail is sent or dropped.
  secret_box   bytea,
  -- HELD until it is the signer's turn.
  state        text not null constraint mails_state check (state in ('HELD', 'WAITING', 'DONE', 'DEAD', 'DROPPED')),
  created_at   timestamptz not null default sealwright_now(),
  -- Since when it is to be sent. Later than created_at after a hold, or when the quota of an hour postponed it. Retries move due_at only.
  wanted_at    timestamptz not null default sealwright_now(),
  due_at       timestamptz not null default sealwright_now(),
  leased_until timestamptz,
  -- Every run has a number of its own. Of these runs: how many failed because of the mail, met an outage of the server, or were released by a worker
  -- that was asked to stop.
  attempts     integer not null default 0,
  failures     integer not null default 0,
  outages      integer not null default 0,
  released     integer not null default 0,
  last_error   text,
  done_at      timestamptz,
  -- The W3C traceparent of what queued it.
  trace_parent text,
  primary key (org_id, id),
  foreign key (org_id, signer_id) references signers on delete cascade,
  foreign key (org_id, person_id) references people on delete cascade,
  constraint mails_receiver check (
    case when template in ('SIGNING_LINK', 'ONE_TIME_CODE', 'COMPLETED') then person_id is null and envelope_id is not null and signer_id is not null
      else person_id is not null and envelope_id is null and signer_id is null end),
  constraint mails_secret_wiped check (state in ('HELD', 'WAITING', 'DEAD') or secret_box is null)
);
create index mails_due on mails (due_at) where state = 'WAITING';
create index mails_dead on mails (envelope_id) where state = 'DEAD'; -- dead letters are counted and retried without reading what was sent
create index mails_settled on mails (due_at) where state in ('DONE', 'DROPPED', 'DEAD'); -- for clean-up
create index mails_by_signer on mails (org_id, signer_id);
create index mails_by_person on mails (org_id, person_id) where person_id is not null;

select isolate_by_organisation('mails');
grant select, insert, update, delete on mails to sealwright_api, sealwright_system;

-- Counts mails whose sender cannot be refused. Mails over the quota of their hour are postponed to the next hour with room, after all that wait already, so no
-- hour sends more than the quota and none is lost. Postponed mails take at most half of a later hour: the rest is for requests of that hour.
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
    -- A transaction that books a later hour holds this row until its commit, so what is read here is current.
    select greatest(hour + interval '1 hour', max(starts_at)) into hour
    from quota_windows
    where org_id = org and dimension = 'EMAILS_PER_HOUR';
    update mails
    set due_at = hour, wanted_at = hour
    where org_id = org and id = any (mails_in_turn[cardinality(mails_in_turn) - remaining + 1:]);
    room := greatest(1, quota / 2);
  end loop;
end $$;
