-- What the operator does by command line stands in the activity of the organisation that it concerns, and a changed password is told to its owner.

alter table admin_events
  add column actor text not null default 'PERSON' constraint admin_events_actor check (actor in ('PERSON', 'OPERATOR')),
  alter column person_id drop not null,
  alter column email drop not null,
  add constraint admin_events_person check ((actor = 'PERSON') = (person_id is not null and email is not null));
alter table admin_events alter column actor drop default;

alter table mails
  drop constraint mails_template,
  add constraint mails_template check (
    template in ('SIGNING_LINK', 'ONE_TIME_CODE', 'COMPLETED', 'PANEL_SETUP', 'PASSWORD_CHANGED')),
  drop constraint mails_receiver,
  add constraint mails_receiver check (
    case when template in ('PANEL_SETUP', 'PASSWORD_CHANGED') then person_id is not null and envelope_id is null and signer_id is null
      else person_id is null and envelope_id is not null and signer_id is not null end);
