-- A secret that the author of a webhook in Kubernetes gives is kept once, for its deliveries: no part of it is shown, and no copy is made.
-- compatible from: 0019

-- The previous secret was a given one.
alter table webhooks add column previous_secret_is_given boolean not null default false;

-- Of the earlier secrets it is not recorded which were given.
update webhooks set secret_last_four = '', previous_secret_is_given = previous_secret_box is not null where secret_is_given;
update webhook_secret_references r set secret_box = null
where is_given and exists (select from webhooks w where w.object_uid = r.object_uid and w.secret_is_given);
