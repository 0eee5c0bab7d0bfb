-- What Kubernetes has to be shown, and which controller may write what it read there.

create sequence mirror_seq;

-- Objects that have changed since the controller last read them: at most one row for each, written in the transaction of the change. The controller deletes
-- it when Kubernetes shows the object, unless the number is another one by then. Without a controller rows are deleted after a day; its sweep finds the rest.
create table mirror_changes (
  kind       text not null constraint mirror_changes_kind check (kind in ('WEBHOOK', 'SIGNING_KEY')),
  -- Null for what belongs to the whole installation.
  org_id     uuid,
  id         uuid not null,
  seq        bigint not null,
  -- Of the first change that waits.
  changed_at timestamptz not null,
  primary key (kind, id)
);
create index mirror_changes_in_order on mirror_changes (seq);
create index mirror_changes_by_age on mirror_changes (changed_at);
-- Not isolated: the API reads none of it. As everywhere, nothing is planned by organisation.
alter table mirror_changes alter column org_id set statistics 0;
-- `update` locks rows that are deleted.
grant select, update, delete on mirror_changes to sealwright_system;

-- Called by the triggers of the mirrored tables. As the table's owner: what an organisation may change says nothing about this table.
create function note_mirror_change(kind text, org_id uuid, id uuid) returns void
language plpgsql volatile security definer set search_path = public, pg_temp as $$
begin
  insert into mirror_changes (kind, org_id, id, seq, changed_at)
  values (note_mirror_change.kind, note_mirror_change.org_id, note_mirror_change.id, nextval('mirror_seq'), sealwright_now())
  on conflict on constraint mirror_changes_pkey do update set seq = excluded.seq, org_id = excluded.org_id;
  notify sealwright_mirror;
end $$;
revoke execute on function note_mirror_change from public;
grant execute on function note_mirror_change to sealwright_api, sealwright_system;

create function note_webhook_change() returns trigger language plpgsql as $$
declare
  changed record := coalesce(new, old);
begin
  perform note_mirror_change('WEBHOOK', changed.org_id, changed.id);
  return null;
end $$;
create trigger webhooks_mirrored after insert or delete on webhooks for each row execute function note_webhook_change();
create trigger webhooks_changes_mirrored after update on webhooks for each row
  when (old.version is distinct from new.version) execute function note_webhook_change();

create function note_probe_change() returns trigger language plpgsql as $$
declare
  changed record := coalesce(new, old);
begin
  perform note_mirror_change('WEBHOOK', changed.org_id, changed.webhook_id);
  return null;
end $$;
create trigger webhook_probes_mirrored after insert or delete on webhook_probes for each row execute function note_probe_change();
create trigger webhook_probes_changes_mirrored after update of due_at on webhook_probes for each row
  when (old.due_at is distinct from new.due_at) execute function note_probe_change();

-- The controller that leads, by the number of changes of the leader that its Lease counts. Every transaction that carries out what a controller read in
-- Kubernetes locks this row first, and fails when its number is not this one: a controller that was paused changes nothing after its successor began.
create table mirror_leader (
  only_one    boolean primary key default true constraint mirror_leader_only_one check (only_one),
  transitions bigint not null,
  holder      text not null,
  since       timestamptz not null default sealwright_now()
);
grant select, insert, update on mirror_leader to sealwright_system;
