import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setUpFactor } from '../../support/clients/authenticator.ts'
import { panelClient, PASSWORD, signedIn } from '../../support/clients/panel-client.ts'
import { runAsProcess, runInProcess } from '../../support/clients/command-line.ts'
import { testService, type TestService } from '../../support/servers/test-service.ts'

let service: TestService
let dataDir: string

beforeAll(async () => {
  service = await testService()
  dataDir = await mkdtemp(path.join(tmpdir(), 'sealwright-cli-'))
  await writeFile(path.join(dataDir, 'database-url'), service.database.url)
  await writeFile(path.join(dataDir, 'dev.json'), JSON.stringify({ baseUrl: service.url }))
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await rm(dataDir, { recursive: true, force: true })
})

/** Runs `sealwright` on the data folder of the service. */
function sealwright(args: readonly string[], environment: Record<string, string> = {}, run = runInProcess) {
  return run({ SEALWRIGHT_DATA_DIR: dataDir, ...environment }, args)
}

const create = (email: string, environment?: Record<string, string>) =>
  sealwright(['org', 'create', '--name', 'New', '--admin-email', email, '--json'], environment)

describe('sealwright org create', () => {
  // requirements: running/commands/org
  test('gives the first admin a link with which they set a password and sign in', async () => {
    const args = ['org', 'create', '--name', 'New', '--admin-email', 'first@example.test', '--json']
    const { stdout } = await sealwright(args, {}, runAsProcess)
    const { orgId, adminSetupUrl, ...rest } = JSON.parse(stdout)
    expect(Object.keys(rest).sort()).toEqual(['clientId', 'clientSecret', 'generalWorkspaceId'])
    const [, setupToken] = new RegExp(`^${service.url}/settings/setup#([\\w-]{43})$`).exec(adminSetupUrl)!
    const browser = panelClient(service.url)
    expect((await browser.post('/password', { setupToken, password: PASSWORD })).status).toBe(204)
    const { status, body } = await browser.signIn('first@example.test', PASSWORD)
    expect([status, body.organisation, body.admin.role]).toEqual([200, { id: orgId, name: 'New' }, 'ADMIN'])
  })

  test('says it in words as well, and nothing of a link without an admin', async () => {
    const { stdout } = await sealwright(['org', 'create', '--name', 'New', '--admin-email', 'second@example.test'])
    expect(stdout).toMatch(/admin link {5}http:\S+\/settings\/setup#[\w-]{43} \(works once, expires after 72 hours\)\n$/)
    const { stdout: without } = await sealwright(['org', 'create', '--name', 'New', '--json'])
    expect(JSON.parse(without)).not.toHaveProperty('adminSetupUrl')
  })

  test('leads to the public address that is set, and to the sign-in where an identity provider does that', async () => {
    const { stdout } = await create('third@example.test', {
      SEALWRIGHT_PUBLIC_URL: 'https://sign.example.test',
      SEALWRIGHT_OIDC_ISSUER: 'https://id.example.test',
      SEALWRIGHT_OIDC_CLIENT_ID: 'sealwright',
      SEALWRIGHT_OIDC_CLIENT_SECRET: 'secret',
    })
    expect(JSON.parse(stdout).adminSetupUrl).toBe('https://sign.example.test/settings')
  })

  test('refuses an address that is taken, in one sentence and without leaving an organisation behind', async () => {
    await create('fourth@example.test')
    const count = async () => (await service.database.owner`select 1 from organisations`).length
    const before = await count()
    const { code, stdout, stderr } = await create('FOURTH@example.test')
    expect([code, stdout, stderr.trim()]).toEqual([1, '', 'A person with this email address already exists or is invited.'])
    expect(await count()).toBe(before)
  })
})

describe('sealwright person reset-factor', () => {
  const withKey = () => ({ SEALWRIGHT_INSTALLATION_KEY: service.installationKey.toString('base64') })
  const reset = (...args: string[]) => sealwright(['person', 'reset-factor', ...args, '--json'], withKey())

  // requirements: running/panel/second factor
  test('lets a person who lost it sign in with the password, ends their sessions and tells them', async () => {
    const lost = await signedIn(service)
    const admin = await signedIn(service)
    await setUpFactor(lost)
    const { person } = lost
    const { orgId } = service.organisation
    const { code, stdout } = await reset('--email', person.email.toUpperCase(), '--org', orgId)
    expect([code, JSON.parse(stdout)]).toEqual([0, { orgId, personId: person.personId, reset: true }])
    expect((await lost.get('/session')).status).toBe(401)
    expect((await panelClient(service.url).signIn(person.email, PASSWORD)).body.admin.email).toBe(person.email)
    const { body } = await admin.get('/activity')
    expect(body.content).toContainEqual(
      expect.objectContaining({
        action: 'factor.reset',
        actor: 'OPERATOR',
        detail: { personId: person.personId, email: person.email },
      }),
    )
    await service.sendMails()
    const subjects = (await service.mails.list()).filter(({ to }) => to === person.email).map(({ subject }) => subject)
    expect(subjects).toContain('Second factor reset: Test organisation')
  })

  test('says when there is no such person, in this organisation, or nothing to reset', async () => {
    const { person } = await signedIn(service)
    const { organisation } = await service.anotherOrganisation()
    const unknown = { code: 1, stdout: '', stderr: 'The person was not found in this organisation.\n' }
    expect(await reset('--email', 'nobody@example.test')).toEqual(unknown)
    expect(await reset('--email', person.email, '--org', organisation.orgId)).toEqual(unknown)
    expect(await reset('--email', person.email)).toEqual({ ...unknown, stderr: 'The person has no second factor.\n' })
    expect((await reset()).code).toBe(2)
  })
})
