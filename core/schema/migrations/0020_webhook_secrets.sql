-- The Secrets of webhooks that are born in Kubernetes, by the uid of the object, which outlives its webhook and may come before it. The controller may create and
-- delete Secrets, and read none.
-- compatible from: 0019

-- Of each object that names a Secret: which one, and what a worker read there for the controller.
create table webhook_secret_references (
  object_uid       text primary key,
  namespace        text not null,
  name             text not null,
  key              text not null,
  -- Of the object when it was requested: a new request reads the Secret again.
  rotation_request text,
  -- Counts the requests. A worker that answers an earlier one is too late.
  request          integer not null default 1,
  requested_at     timestamptz not null default sealwright_now(),
  due_at           timestamptz not null default sealwright_now(),
  -- Null until the request is answered. The Secret is read again every hour, after a failure sooner.
  read_at          timestamptz,
  failure          text constraint webhook_secret_references_failure check (failure in ('MISSING', 'UNUSABLE', 'UNAVAILABLE')),
  message          text,
  -- What was read last, encrypted. It stays when a later read fails.
  secret_box       bytea,
  -- Whether the webhook has it.
  is_given         boolean not null default false,
  constraint webhook_secret_references_message check ((failure is null) = (message is null))
);
create index webhook_secret_references_due on webhook_secret_references (due_at);

-- The Secrets that the controller created for objects and has not deleted. The name is recorded first, so that a crash loses none.
create table webhook_secret_objects (
  object_uid text not null,
  name       text not null,
  -- Null until the API server has confirmed the creation.
  uid        text,
  created_at timestamptz not null default sealwright_now(),
  primary key (object_uid, name)
);

-- Not isolated: the API reads none of it.
grant select, insert, update, delete on webhook_secret_references, webhook_secret_objects to sealwright_system;

-- By the uid, because there may be no webhook yet.
create function note_secret_answer() returns trigger language plpgsql as
  $$ begin perform note_mirror_change('WEBHOOK', null, new.object_uid::uuid); return null; end $$;
create trigger webhook_secret_references_mirrored after update on webhook_secret_references for each row
  when (new.read_at is not null
    and (old.read_at is null or (old.failure, old.message, old.secret_box) is distinct from (new.failure, new.message, new.secret_box)))
  execute function note_secret_answer();
