import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accessToken, apiClient } from '../support/clients/api-client.ts'
import { aVisitor, type Visitor } from '../support/clients/browser.ts'
import { aDraft } from '../support/builders/envelopes.ts'
import { PASSWORD } from '../support/clients/panel-client.ts'
import { seriousFaults } from './accessibility.ts'
import { settingsPages, type SettingsPages, signIn, visitAs } from './settings-pages.ts'

let pages: SettingsPages
let url: string
let visitor: Visitor
let page: Page

beforeAll(async () => {
  pages = await settingsPages()
  url = `${pages.service.url}/settings`
  visitor = await aVisitor(pages.browser)
  await visitor.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  page = visitor.page
  await visitAs(page, pages.admin, url, 'Overview')
})
afterAll(async () => {
  await visitor[Symbol.asyncDispose]()
  await pages[Symbol.asyncDispose]()
})

const shownSecret = () => page.getByRole('dialog').locator('code').nth(1).innerText()
const tokenFor = (clientId: string, clientSecret: string) => accessToken(pages.service.url, { clientId, clientSecret })

describe('a credential', () => {
  test('is created with what it may do; its secret is shown once and works', async () => {
    await page.goto(`${url}/credentials/new`)
    await page.getByRole('button', { name: 'Create credential' }).click()
    await page.getByText('This field is required.').waitFor()
    await page.getByText('Select at least one permission.').waitFor()
    expect(await page.evaluate('document.activeElement.getAttribute("aria-invalid")')).toBe('true')
    await page.getByLabel('Name', { exact: true }).fill('Contract archive')
    await page.getByRole('group', { name: 'General' }).getByLabel('Create').check()
    expect(await page.getByRole('group', { name: 'General' }).getByLabel('Read').isChecked()).toBe(true)
    await page.getByRole('button', { name: 'Create credential' }).click()

    const dialog = page.getByRole('dialog', { name: 'Save the secret now' })
    await dialog.waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'Copy Client secret' }).click()
    const secret = await shownSecret()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret)
    const clientId = await dialog.locator('code').first().innerText()
    const client = await apiClient(pages.service.url, { clientId, clientSecret: secret })
    const draft = await aDraft(client)
    expect((await client.post(`/api/v1/envelopes/${draft.id}/send`)).status).toBe(403)

    await dialog.getByRole('button', { name: 'I have saved the secret' }).click()
    await page.getByRole('heading', { name: 'Contract archive', level: 1 }).waitFor()
    await page.getByText(`ends in ${secret.slice(-4)}`).waitFor()
    expect(await page.content()).not.toContain(secret)
    expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state])')).toBe(
      '[{},{},null]',
    )
  })

  test('gets a second secret beside the first, until the first is ended', async () => {
    await page.goto(`${url}/credentials`)
    await page.getByRole('link', { name: 'First credential' }).click()
    await page.getByRole('button', { name: 'Create new secret' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Create new secret' }).click()
    await page.getByRole('dialog', { name: 'Save the new secret now' }).waitFor()
    const secret = await shownSecret()
    await page.getByRole('button', { name: 'I have saved the secret' }).click()
    const { clientId, clientSecret } = pages.service.organisation
    await tokenFor(clientId, secret)
    await tokenFor(clientId, clientSecret)
    await page.getByRole('button', { name: 'Revoke previous secret' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke previous secret' }).click()
    await page.getByText('Previous secret revoked').waitFor()
    await expect(tokenFor(clientId, clientSecret)).rejects.toThrow('401')
    await tokenFor(clientId, secret)
  })

  test('is revoked after one question, and says so from then on', async () => {
    await page.goto(`${url}/credentials`)
    await page.getByRole('link', { name: 'Contract archive' }).click()
    await page.getByRole('button', { name: 'Revoke' }).click()
    const question = page.getByRole('alertdialog', { name: 'Revoke “Contract archive”?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Revoke')
    await page.getByRole('button', { name: 'Revoke' }).click()
    await question.getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('This credential no longer works.').waitFor()
    const rows = await pages.service.database
      .owner`select 1 from credentials where name = 'Contract archive' and revoked_at is not null`
    expect(rows).toHaveLength(1)
  })
})

describe('a workspace', () => {
  test('is created, distinguished by its name, and takes members with what they may do', async () => {
    await page.goto(`${url}/workspaces`)
    await page.getByRole('button', { name: 'Create workspace' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('general')
    await dialog.getByRole('button', { name: 'Create workspace' }).click()
    await dialog.getByText('A workspace with this name already exists.').waitFor()
    await dialog.getByLabel('Name').fill('Human resources')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Human resources', level: 1 }).waitFor()
    await page.getByRole('group', { name: 'Robin' }).getByLabel('All').check()
    await page.getByRole('group', { name: 'Robin' }).getByLabel('Download').uncheck()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Members saved').waitFor()
    const [row] = await pages.service.database
      .owner`select permissions from member_grants where person_id = ${pages.member.personId}`
    expect(row?.['permissions']).toEqual(['envelope:read', 'envelope:create', 'envelope:send', 'envelope:cancel'])
  })

  test('with envelopes stays, and the page says why; without any it goes', async () => {
    const workspace = await pages.service.database.owner`select id from workspaces where name = 'Human resources'`
    const { clientId } = pages.service.organisation
    const [credential] = await pages.service.database.owner`select id from credentials where client_id = ${clientId}`
    await pages.service.database.owner`
      insert into credential_grants (org_id, credential_id, workspace_id, permissions)
      values (${pages.service.organisation.orgId}, ${credential!['id']}, ${workspace[0]!['id']}, '{envelope:read,envelope:create}')`
    const draft = await aDraft(pages.service.client, { workspaceId: workspace[0]!['id'] })
    await page.goto(`${url}/workspaces/${workspace[0]!['id']}`)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('This workspace contains envelopes').waitFor()
    await pages.service.client.send('DELETE', `/api/v1/envelopes/${draft.id}`)
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('“Human resources” deleted').waitFor()
    expect(page.url()).toBe(`${url}/workspaces`)
  })
})

describe('a person', () => {
  test('is invited by mail, gets in, and is gone when removed', async () => {
    await page.goto(`${url}/people`)
    await page.getByRole('button', { name: 'Invite person' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Nina New')
    await dialog.getByLabel('Email').fill('nina')
    expect(await seriousFaults(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Send invitation' }).click()
    await dialog.getByText('Enter a valid email address.').waitFor()
    await dialog.getByLabel('Email').fill('nina@example.test')
    await dialog.getByRole('button', { name: 'Send invitation' }).click()
    await page.getByText('Invitation sent to nina@example.test').waitFor()
    const first = await pages.mailedSetupLink()
    await page.getByRole('button', { name: 'Send new link to Nina New' }).click()
    await page.getByText('New link sent to nina@example.test').waitFor()
    const second = await pages.mailedSetupLink()
    expect(second).not.toBe(first)

    await using guest = await aVisitor(pages.browser)
    await guest.page.goto(second)
    await guest.page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await guest.page.keyboard.press('Enter')
    await guest.page.getByRole('link', { name: 'Sign in' }).click()
    await signIn(guest.page, 'nina@example.test')
    await guest.page.getByRole('heading', { name: 'Overview' }).waitFor()
    expect(await guest.page.getByRole('link', { name: 'Credentials' }).count()).toBe(0)

    await page.getByRole('button', { name: 'Remove Nina New' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('Nina New removed').waitFor()
    await guest.page.getByRole('link', { name: 'Workspaces' }).click()
    await guest.page.getByRole('dialog', { name: 'Please sign in again' }).waitFor()
  })

  test('becomes an admin, and back', async () => {
    await page.goto(`${url}/people`)
    const row = page.locator('li', { hasText: pages.member.email })
    for (const [name, role] of [
      ['Mona', 'Admin'],
      ['Robin', 'Member'],
    ] as const) {
      await row.getByRole('button', { name: /^Edit/ }).click()
      await page.getByRole('dialog').getByLabel('Name').fill(name)
      await page.getByRole('dialog').getByRole('radio', { name: role, exact: true }).check()
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
      await row.getByText(role, { exact: true }).waitFor()
      await row.getByText(name, { exact: true }).waitFor()
    }
  })

  test('who is the last admin stays, and the page says why', async () => {
    await page.goto(`${url}/people`)
    await page
      .locator('li', { hasText: pages.admin.email })
      .getByRole('button', { name: /^Remove/ })
      .click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('This is the last admin who can sign in.').waitFor()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  })
})

test('what was done here is shown to admins, by name', async () => {
  await page.goto(`${url}/activity`)
  await page.getByText(`${pages.admin.email} revoked the credential “Contract archive”.`).waitFor()
  await page.getByText(`${pages.admin.email} deleted the workspace`).waitFor()
  await page.getByText(`${pages.admin.email} removed nina@example.test.`).waitFor()
})

test('nothing of all this broke the policy, logged an error or called anybody else', () => {
  expect(visitor.complaints).toEqual([])
  const elsewhere = visitor.requests.map((request) => request.url()).filter((address) => !address.startsWith(pages.service.url))
  expect(elsewhere).toEqual([])
})
