-- The signing keys that Kubernetes shows: those that objects decide about, and the installation's own.
create function note_signing_key_change() returns trigger language plpgsql as $$
declare
  changed record := coalesce(new, old);
begin
  perform note_mirror_change('SIGNING_KEY', changed.org_id, changed.id);
  return null;
end $$;
create trigger signing_keys_mirrored after insert on signing_keys for each row
  when (new.origin = 'KUBERNETES' or new.provider_type = 'INSTALLATION') execute function note_signing_key_change();
create trigger signing_keys_changes_mirrored after update on signing_keys for each row
  when (new.origin = 'KUBERNETES' or new.provider_type = 'INSTALLATION') execute function note_signing_key_change();
