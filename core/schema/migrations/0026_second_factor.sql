-- The second factor of people who sign in with a password: codes of an authenticator app (RFC 6238), and recovery codes for when it is lost.
-- compatible from: 0019

create table second_factors (
  org_id       uuid not null,
  person_id    uuid not null,
  -- The secret that the app shares, encrypted.
  secret_box   bytea not null,
  created_at   timestamptz not null default sealwright_now(),
  -- Null until a first code proves that the app has the secret; a factor that is not confirmed has no effect.
  confirmed_at timestamptz,
  -- The time step of the newest code that was used. Codes of this and of earlier steps are refused, so that each works once in all processes.
  last_step    integer not null default 0,
  primary key (org_id, person_id),
  constraint second_factors_person foreign key (org_id, person_id) references people on delete cascade
);

-- Codes that are left: a used one is deleted.
create table recovery_codes (
  org_id    uuid not null,
  person_id uuid not null,
  code_hash bytea not null,
  primary key (org_id, person_id, code_hash),
  constraint recovery_codes_factor foreign key (org_id, person_id) references second_factors on delete cascade
);

select isolate_by_organisation(owned) from unnest(array['second_factors', 'recovery_codes']::regclass[]) owned;
grant select, insert, update, delete on second_factors, recovery_codes to sealwright_api, sealwright_system;

-- When the person of the session last proved the second factor. Null: not in this session, which is not valid once the person has one.
alter table sessions add column factor_at timestamptz;

-- People without a second factor can only set one up.
alter table organisations add column require_second_factor boolean not null default false;

alter table mails drop constraint mails_template;
alter table mails add constraint mails_template check (
  template in ('SIGNING_LINK', 'ONE_TIME_CODE', 'COMPLETED', 'PANEL_SETUP', 'PASSWORD_CHANGED', 'FACTOR_CHANGED', 'WEBHOOK_DISABLED', 'WEBHOOK_ENABLED'));
