-- Lists go newest first within an organisation; labels are asked for by containment and presence.
create index envelopes_by_creation on envelopes (org_id, created_at desc, id desc);
create index envelopes_by_workspace on envelopes (org_id, workspace_id, created_at desc, id desc);
create index envelopes_by_label on envelopes using gin (labels);
