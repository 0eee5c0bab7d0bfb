-- Kubernetes shows every signing key: those that objects decide about, the installation's own, and imported ones.
create function note_signing_key_change() returns trigger language plpgsql as $$
declare
  changed record := coalesce(new, old);
begin
  perform note_mirror_change('SIGNING_KEY', changed.org_id, changed.id);
  return null;
end $$;
create trigger signing_keys_mirrored after insert on signing_keys for each row execute function note_signing_key_change();
create trigger signing_keys_changes_mirrored after update on signing_keys for each row execute function note_signing_key_change();
