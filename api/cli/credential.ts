// `sealwright credential create | list | revoke`
import { createCredentialAsOperator } from '#core/account/credential/create-credential.ts'
import { listCredentialsAsOperator } from '#core/account/organisation/list-credentials-as-operator.ts'
import { ClientId } from '#core/account/credential/new-credential.ts'
import { revokeCredentialAsOperator } from '#core/account/credential/revoke-credential.ts'
import { CredentialId, OrgId, WorkspaceId } from '#core/ids.ts'
import { type Permission, PERMISSIONS } from '#core/account/workspace/rules.ts'
import type { Command } from 'commander'
import { z } from 'zod'
import { toVisibleLine } from '#core/platform/text/visible-text.ts'
import { toCredentialResponse } from '../responses/credential.ts'
import { Name } from '../schemas/text.ts'
import { withDatabase } from './connect.ts'
import { collected, parsed } from './parse-option.ts'
import { print } from './print.ts'

const EitherId = z.union([CredentialId, ClientId], { error: 'must be a credential ID or a client ID' })

interface CreateOptions {
  org: OrgId
  name: string
  workspace?: WorkspaceId
  permission?: Permission[]
  json?: boolean
}

export function addCredential(program: Command): void {
  const credential = program.command('credential').description('manage API credentials of organisations')
  credential
    .command('create')
    .description('create a credential for one workspace; its secret is shown only once')
    .requiredOption('--org <id>', 'organisation ID', parsed(OrgId))
    .option('--name <name>', 'display name', parsed(Name), 'Issued by the operator')
    .option('--workspace <id>', 'workspace ID (default: General)', parsed(WorkspaceId))
    .option(
      '--permission <permission...>',
      `permissions in the workspace: ${PERMISSIONS.join(', ')} (default: all)`,
      collected(z.enum(PERMISSIONS)),
    )
    .option('--json', 'print one JSON value')
    .action(create)
  credential
    .command('list')
    .description('list the credentials of an organisation, newest first')
    .requiredOption('--org <id>', 'organisation ID', parsed(OrgId))
    .option('--json', 'print one JSON value')
    .action(list)
  credential
    .command('revoke')
    .description('revoke a credential; tokens already issued expire within 5 minutes')
    .requiredOption('--id <id>', 'the credential ID or the client ID', parsed(EitherId))
    .option('--json', 'print one JSON value')
    .action(revoke)
}

async function create({ org, name, workspace, permission, json }: CreateOptions): Promise<void> {
  const grant = { workspaceId: workspace, permissions: permission }
  const created = await withDatabase((core) => createCredentialAsOperator(core, org, { name, grant }))
  const { id, clientId, clientSecret } = created
  print(json, { id, clientId, clientSecret }, [
    `credential     ${id}`,
    `client ID      ${clientId}`,
    `client secret  ${clientSecret} (shown only once)`,
  ])
}

async function list({ org, json }: { org: OrgId; json?: boolean }): Promise<void> {
  const credentials = (await withDatabase((core) => listCredentialsAsOperator(core, org))).map(toCredentialResponse)
  print(json, credentials, credentials.length > 0 ? credentials.map(describe) : ['no credentials'])
}

function describe({ id, clientId, name, createdAt, revokedAt }: ReturnType<typeof toCredentialResponse>): string {
  return `${id}  ${clientId}  ${createdAt}  ${revokedAt ? 'revoked' : 'active '}  ${toVisibleLine(name)}`
}

async function revoke({ id: given, json }: { id: CredentialId | ClientId; json?: boolean }): Promise<void> {
  const id = await withDatabase((core) => revokeCredentialAsOperator(core, given))
  print(json, { id, revoked: true }, [`credential ${id} revoked`])
}
