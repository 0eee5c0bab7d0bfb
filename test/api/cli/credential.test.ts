// `sealwright credential` on a database of its own.
import { randomUUID } from 'node:crypto'
import { PERMISSIONS } from '#core/account/workspace/rules.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runAsProcess, runInProcess } from '../../support/clients/command-line.ts'
import { testService, type TestService } from '../../support/servers/test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await testService()
})
afterAll(() => service[Symbol.asyncDispose]())

const settings = () => ({ SEALWRIGHT_DATABASE_URL: service.database.url })
const run = (...args: string[]) => runInProcess(settings(), ['credential', ...args])

async function tokenStatus({ clientId, clientSecret }: { clientId: string; clientSecret: string }): Promise<number> {
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret })
  return (await fetch(`${service.url}/oauth2/token`, { method: 'POST', body: form })).status
}

function grantsOf(id: string) {
  return service.database.owner<{ workspaceId: string; permissions: string[] }[]>`
    select workspace_id, permissions from credential_grants where credential_id = ${id}`
}

/** What the organisation's activity says of the credential, oldest first. */
function activityOf(id: string) {
  return service.database.owner<{ actor: string; action: string; detail: object }[]>`
    select actor, action, detail from admin_events where detail->>'credentialId' = ${id} order by id`
}

describe('credential create', () => {
  // requirements: running/commands/credential
  test('issues a credential that may do everything in General, and prints one JSON value', async () => {
    const { orgId, generalWorkspaceId } = service.organisation
    const { code, stdout, stderr } = await runAsProcess(settings(), ['credential', 'create', '--org', orgId, '--json'])
    expect([code, stderr]).toEqual([0, ''])
    const created = JSON.parse(stdout)
    expect(Object.keys(created)).toEqual(['id', 'clientId', 'clientSecret'])
    expect(await tokenStatus(created)).toBe(200)
    expect(await grantsOf(created.id)).toEqual([{ workspaceId: generalWorkspaceId, permissions: [...PERMISSIONS] }])
  })

  test('takes a name, a workspace and permissions, and tells people what it made', async () => {
    const { orgId } = service.organisation
    const workspaceId = randomUUID()
    await service.database.owner`insert into workspaces (org_id, id, name) values (${orgId}, ${workspaceId}, 'Sales')`
    const permissions = ['--permission', 'envelope:create', 'envelope:send', '--permission', 'document:download']
    const { stdout } = await run('create', '--org', orgId, '--name', 'ERP', '--workspace', workspaceId, ...permissions)
    const [, id = ''] = /^credential +(\S+)$/m.exec(stdout) ?? []
    expect(stdout).toMatch(/^client secret +swsec_[\w-]{43} \(shown only once\)$/m)
    expect(await grantsOf(id)).toEqual([{ workspaceId, permissions: ['envelope:create', 'envelope:send', 'document:download'] }])
    const [row] = await service.database.owner<{ name: string }[]>`select name from credentials where id = ${id}`
    expect(row?.name).toBe('ERP')
  })

  test.each([
    ['an organisation that is not there', () => ['--org', randomUUID()], 'The organisation was not found.'],
    [
      'a workspace that is not there',
      () => ['--org', service.organisation.orgId, '--workspace', randomUUID()],
      'The workspace was not found',
    ],
  ])('fails with one sentence and exit code 1 for %s', async (_case, args, sentence) => {
    const { code, stdout, stderr } = await run('create', '--json', ...args())
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(new RegExp(`^${sentence}[^\n]*\n$`))
  })

  test.each([
    ['no organisation', () => []],
    ['an organisation that is no id', () => ['--org', 'mine']],
    ['an unknown permission', () => ['--org', randomUUID(), '--permission', 'envelope:sign']],
    ['a workspace that is no id', () => ['--org', randomUUID(), '--workspace', 'General']],
    ['an empty name', () => ['--org', randomUUID(), '--name', '']],
  ])('ends with exit code 2 for %s', async (_case, args) => {
    const { code, stdout } = await run('create', ...args())
    expect([code, stdout]).toEqual([2, ''])
  })
})

describe('credential list', () => {
  // requirements: running/commands/credential
  test('shows live and revoked ones, newest first, and no secret', async () => {
    const { organisation } = await service.anotherOrganisation()
    const created = JSON.parse((await run('create', '--org', organisation.orgId, '--name', 'ERP\nlive', '--json')).stdout)
    await run('revoke', '--id', created.id)
    const { stdout } = await run('list', '--org', organisation.orgId, '--json')
    expect(JSON.parse(stdout)).toMatchObject([
      { id: created.id, clientId: created.clientId, name: 'ERP\nlive', revokedAt: expect.any(String) },
      { clientId: organisation.clientId },
    ])
    expect(stdout).not.toContain(created.clientSecret)
    const lines = (await run('list', '--org', organisation.orgId)).stdout.trimEnd().split('\n')
    expect(lines).toEqual([
      expect.stringMatching(new RegExp(`^${created.id}  ${created.clientId}  .*  revoked  ERP live$`)),
      expect.stringContaining(`  ${organisation.clientId}  `),
    ])
  })

  test('fails for an organisation that is not there', async () => {
    const { code, stderr } = await run('list', '--org', randomUUID())
    expect([code, stderr]).toEqual([1, 'The organisation was not found.\n'])
  })
})

describe('credential revoke', () => {
  // requirements: running/commands/credential
  test('ends new tokens, and says so again when asked again', async () => {
    const created = JSON.parse((await run('create', '--org', service.organisation.orgId, '--json')).stdout)
    for (let times = 0; times < 2; times++) {
      const { code, stdout } = await run('revoke', '--id', created.id, '--json')
      expect([code, JSON.parse(stdout)]).toEqual([0, { id: created.id, revoked: true }])
    }
    expect(await tokenStatus(created)).toBe(401)
    expect(await activityOf(created.id)).toEqual([
      {
        actor: 'OPERATOR',
        action: 'credential.created',
        detail: { credentialId: created.id, clientId: created.clientId, name: 'Issued by the operator' },
      },
      { actor: 'OPERATOR', action: 'credential.revoked', detail: { credentialId: created.id } },
    ])
  })

  test('takes the client id as well, which is all that the first credential was given with', async () => {
    const created = JSON.parse((await run('create', '--org', service.organisation.orgId, '--json')).stdout)
    const { code, stdout } = await run('revoke', '--id', created.clientId, '--json')
    expect([code, JSON.parse(stdout)]).toEqual([0, { id: created.id, revoked: true }])
    expect(await tokenStatus(created)).toBe(401)
  })

  test('fails for an unknown credential, and for none', async () => {
    const unknown = await run('revoke', '--id', randomUUID())
    expect([unknown.code, unknown.stderr]).toEqual([1, 'The credential was not found.\n'])
    expect((await run('revoke', '--id', `swc_${'A'.repeat(16)}`)).code).toBe(1)
    expect((await run('revoke')).code).toBe(2)
    expect((await run('revoke', '--id', 'mine')).code).toBe(2)
  })
})
