// Creates an organisation at the first start, so that the service can be tried at once. Later starts reuse it and its secrets.
import { createOrganisation } from '#core/account/organisation/create-organisation.ts'
import type { Core } from '#core/context.ts'
import type { DataFolder } from './data-folder.ts'
import { type Identity, saveIdentity } from './secrets.ts'

/** The first organisation's ids and secrets. */
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
