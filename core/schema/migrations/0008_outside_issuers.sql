-- Clients whose tokens come from a trusted outside issuer. Each is a credential without a secret, recorded at its first call, so that an admin
-- can assign workspaces to it and revoke it like any other.
alter table credentials add column issuer text constraint credentials_issuer_length check (char_length(issuer) between 1 and 500);
alter table credentials drop constraint credentials_client_id_unique;
-- Our own client ids are unique everywhere; an outside one means something only together with its issuer, and may come from several organisations.
create unique index credentials_own_client on credentials (client_id) where issuer is null;
create unique index credentials_outside_client on credentials (org_id, issuer, client_id) where issuer is not null;

create or replace function find_credential_owner(wanted text) returns table (org_id uuid, credential_id uuid)
  language sql stable security definer set search_path = public, pg_temp as
  $$ select c.org_id, c.id from credentials c where c.client_id = wanted and c.issuer is null $$;
