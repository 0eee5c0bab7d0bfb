// The organisation with which a first start can be tried at once. Later starts keep it and its secrets.
import { createOrganisation } from '#core/account/organisation/create-organisation.ts'
import type { Core } from '#core/context.ts'
import type { DataFolder } from './data-folder.ts'
import { type Identity, saveIdentity } from './secrets.ts'

/** Ids and secrets of the first organisation; made at the first start. */
export async function loadOrCreateFirstOrganisation(
  core: Pick<Core, 'database'>,
  folder: DataFolder,
  identity: Identity,
): Promise<NonNullable<Identity['organisation']>> {
  if (identity.organisation) return identity.organisation
  const organisation = await createOrganisation(core, {
    name: 'First organisation',
    admin: { email: identity.adminEmail, name: 'Administrator', password: identity.adminPassword },
  })
  await saveIdentity(folder, { ...identity, organisation })
  return organisation
}
