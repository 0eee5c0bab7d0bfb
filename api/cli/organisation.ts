// `sealwright org create | list`
import { createOrganisation } from '#core/account/organisation/create-organisation.ts'
import { listOrganisations } from '#core/account/organisation/list-organisations.ts'
import { SETUP_LINK_TTL_HOURS } from '#core/limits.ts'
import { setupUrl } from '#core/account/person/issue-setup-link.ts'
import { toVisibleLine } from '#core/platform/text/visible-text.ts'
import type { Command } from 'commander'
import { readConfig } from '../config.ts'
import { findPublicUrl, withDatabase } from './connect.ts'
import { Email, Name } from '../schemas/text.ts'
import { parsed } from './parse-option.ts'
import { print } from './print.ts'

interface CreateOptions {
  name: string
  adminEmail?: string
  json?: boolean
}

export function addOrganisation(program: Command): void {
  const organisation = program.command('org').description('organisations of the installation')
  organisation
    .command('create')
    .description('create an organisation with a first credential; its secret is shown this once')
    .requiredOption('--name <name>', 'its name', parsed(Name))
    .option('--admin-email <email>', 'its first administrator', parsed(Email))
    .option('--json', 'print one JSON value')
    .action(create)
  organisation.command('list').description('list the organisations').option('--json', 'print one JSON value').action(list)
}

async function create({ name, adminEmail, json }: CreateOptions): Promise<void> {
  const admin = adminEmail ? { email: adminEmail, name: adminEmail, password: null } : undefined
  const { setupToken, ...created } = await withDatabase((core) => createOrganisation(core, { name, ...(admin && { admin }) }))
  const { orgId, generalWorkspaceId, clientId, clientSecret } = created
  const adminSetupUrl = setupToken && (await wayIn(setupToken))
  print(json, { ...created, ...(adminSetupUrl && { adminSetupUrl }) }, [
    `organisation   ${orgId}`,
    `workspace      ${generalWorkspaceId} (General)`,
    `client id      ${clientId}`,
    `client secret  ${clientSecret} (shown this once)`,
    ...(adminSetupUrl ? [`admin's link   ${adminSetupUrl} (good once, for ${SETUP_LINK_TTL_HOURS} hours)`] : []),
  ])
}

/** Where the first admin gets in: to set a password, or to the identity provider of the installation. */
async function wayIn(setupToken: string): Promise<string> {
  const publicUrl = await findPublicUrl()
  return readConfig().oidcIssuer ? `${publicUrl}/settings` : setupUrl(publicUrl, setupToken)
}

async function list({ json }: { json?: boolean }): Promise<void> {
  const organisations = await withDatabase(listOrganisations)
  const rows = organisations.map(({ id, name, createdAt }) => ({ orgId: id, name, createdAt: createdAt.toISOString() }))
  const lines = rows.map(({ orgId, name, createdAt }) => `${orgId}  ${createdAt}  ${toVisibleLine(name)}`)
  print(json, rows, lines.length > 0 ? lines : ['no organisations'])
}
