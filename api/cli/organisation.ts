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
  const organisation = program.command('org').description('manage the organisations of the installation')
  organisation
    .command('create')
    .description('create an organisation and its first credential; the secret is shown only once')
    .requiredOption('--name <name>', 'name of the organisation', parsed(Name))
    .option('--admin-email <email>', 'email address of the first admin', parsed(Email))
    .option('--json', 'print one JSON value')
    .action(create)
  organisation.command('list').description('list the organisations').option('--json', 'print one JSON value').action(list)
}

async function create({ name, adminEmail, json }: CreateOptions): Promise<void> {
  const admin = adminEmail ? { email: adminEmail, name: adminEmail, password: null } : undefined
  const { setupToken, ...created } = await withDatabase((core) => createOrganisation(core, { name, ...(admin && { admin }) }))
  const { orgId, generalWorkspaceId, clientId, clientSecret } = created
  const adminSetupUrl = setupToken && (await firstSignInUrl(setupToken))
  print(json, { ...created, ...(adminSetupUrl && { adminSetupUrl }) }, [
    `organisation   ${orgId}`,
    `workspace      ${generalWorkspaceId} (General)`,
    `client ID      ${clientId}`,
    `client secret  ${clientSecret} (shown only once)`,
    ...(adminSetupUrl ? [`admin link     ${adminSetupUrl} (works once, expires after ${SETUP_LINK_TTL_HOURS} hours)`] : []),
  ])
}

/** The first admin's link: to set a password, or to sign in with the identity provider. */
async function firstSignInUrl(setupToken: string): Promise<string> {
  const publicUrl = await findPublicUrl()
  return readConfig().oidcIssuer ? `${publicUrl}/settings` : setupUrl(publicUrl, setupToken)
}

async function list({ json }: { json?: boolean }): Promise<void> {
  const organisations = await withDatabase(listOrganisations)
  const rows = organisations.map(({ id, name, createdAt }) => ({ orgId: id, name, createdAt: createdAt.toISOString() }))
  const lines = rows.map(({ orgId, name, createdAt }) => `${orgId}  ${createdAt}  ${toVisibleLine(name)}`)
  print(json, rows, lines.length > 0 ? lines : ['no organisations'])
}
