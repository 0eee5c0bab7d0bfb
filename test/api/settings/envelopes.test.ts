import { randomUUID } from 'node:crypto'
import { getAuditReport } from '#core/audit-report/get-audit-report.ts'
import type { PersonCaller } from '#core/context.ts'
import { EnvelopeId } from '#core/ids.ts'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aDraft, ADA, aSentEnvelope, BEN } from '../../support/builders/envelopes.ts'
import { type PanelClient, signedIn, type TestPerson } from '../../support/clients/panel-client.ts'
import { aSignedEnvelope } from '../../support/builders/signed-envelope.ts'
import { testService, type TestService } from '../../support/servers/test-service.ts'

let service: TestService
let admin: PanelClient & { person: TestPerson }
let member: PanelClient & { person: TestPerson }

beforeAll(async () => {
  service = await testService()
  admin = await signedIn(service)
  member = await signedIn(service, { role: 'MEMBER' })
})
afterAll(() => service[Symbol.asyncDispose]())

/** General's only list of members. */
async function grantInGeneral(permissions: string[] | undefined): Promise<void> {
  const list = permissions ? [{ adminOrMemberId: member.person.personId, permissions }] : []
  await admin.put(`/workspaces/${service.organisation.generalWorkspaceId}/members`, list)
}

describe('envelopes in the panel', () => {
  test('have the same shapes as in the API', async () => {
    const { id } = await aDraft(service.client, { labels: { cost: '42' } })
    const [panel, api] = await Promise.all([
      admin.get('/envelopes?labels=cost%3D42'),
      service.client.get('/api/v1/envelopes?labels=cost%3D42'),
    ])
    expect([panel.status, panel.body]).toEqual([200, api.body])
    expect(panel.body.content[0].id).toBe(id)
    expect((await admin.get(`/envelopes/${id}`)).body).toEqual((await service.client.get(`/api/v1/envelopes/${id}`)).body)
  })

  test.each(['?size=0', '?page=1001&size=100', '?status=OPEN'])('reject the query %s like the API', async (query) => {
    const [panel, api] = await Promise.all([admin.get(`/envelopes${query}`), service.client.get(`/api/v1/envelopes${query}`)])
    expect([panel.status, panel.body.code]).toEqual([400, api.body.code])
  })

  test('are visible to members where they hold a role, and nowhere else', async () => {
    const { id } = await aDraft(service.client)
    await grantInGeneral(undefined)
    expect((await member.get('/envelopes')).body.content).toEqual([])
    for (const path of [`/envelopes/${id}`, `/envelopes/${id}/documents`, `/envelopes/${id}/audit`]) {
      const { status, body } = await member.get(path)
      expect([status, body.code]).toEqual([404, 'ENVELOPE_NOT_FOUND'])
    }
    const report = await member.get(`/envelopes/${id}/audit`, { Accept: 'application/pdf' })
    expect([report.status, report.body.code]).toEqual([404, 'ENVELOPE_NOT_FOUND'])
    await grantInGeneral([])
    for (const path of [`/envelopes/${id}`, `/envelopes/${id}/documents`, `/envelopes/${id}/audit`]) {
      expect((await member.get(path)).status).toBe(200)
    }
  })

  test('show download URLs only with document:download', async () => {
    const { id } = await aDraft(service.client)
    await grantInGeneral(['envelope:read'])
    expect((await member.get(`/envelopes/${id}/documents`)).body).toEqual([
      { id: expect.any(String), filename: 'document.pdf', downloadUrl: null, signedUrl: null },
    ])
    await grantInGeneral(['document:download'])
    const [{ downloadUrl }] = (await member.get(`/envelopes/${id}/documents`)).body
    expect((await fetch(downloadUrl)).status).toBe(200)
    expect((await admin.get(`/envelopes/${id}/documents`)).body[0].downloadUrl).toEqual(expect.any(String))
  })

  test('of another organisation and unknown ones are not found', async () => {
    const other = await service.anotherOrganisation()
    const { id: foreign } = await aDraft(other.client)
    for (const id of [foreign, randomUUID()]) {
      for (const path of [`/envelopes/${id}`, `/envelopes/${id}/documents`, `/envelopes/${id}/audit`]) {
        const { status, body } = await admin.get(path)
        expect([status, body.code]).toEqual([404, 'ENVELOPE_NOT_FOUND'])
      }
    }
  })
})

describe('the audit trail of an envelope', () => {
  // requirements: running/panel/GET /envelopes/{id}/audit
  test('shows each action, actor and address, and that the chain is intact', async () => {
    const { id } = await aSignedEnvelope(service, { title: 'Garden lease', signers: [ADA] })
    const { status, body, headers } = await admin.get(`/envelopes/${id}/audit`)
    expect([status, headers.get('content-type'), headers.get('vary')]).toEqual([200, 'application/json; charset=utf-8', 'Accept'])
    expect(body).toMatchObject({ envelopeId: id, title: 'Garden lease', status: 'COMPLETED' })
    const { events, chain } = body
    expect(events.map(({ action }: { action: string }) => action)).toEqual([
      'envelope.created',
      'document.attached',
      'envelope.sent',
      'document.opened',
      'signer.signed',
      'envelope.completed',
      'envelope.sealed',
    ])
    expect(events[0]).toEqual({
      seq: 1,
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
      actor: { kind: 'credential', clientId: service.organisation.clientId },
      action: 'envelope.created',
      address: '127.0.0.1',
      userAgent: 'node',
      detail: { signers: 1 },
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(chain).toEqual({ valid: true, rows: events.length, headHash: events.at(-1).hash })
  })

  test('names the first tampered entry', async () => {
    const { id } = await aSentEnvelope(service.client)
    await service.database.owner.begin(async (sql) => {
      await sql`set local session_replication_role = replica`
      await sql`update audit_events set detail = '{"signers": 9}' where envelope_id = ${id} and seq = 3`
    })
    expect((await admin.get(`/envelopes/${id}/audit`)).body.chain).toMatchObject({ valid: false, firstBadSeq: 3, rows: 3 })
    const { status } = await admin.get(`/envelopes/${id}/audit`, { Accept: 'application/pdf' })
    expect(status).toBe(200)
  })

  // requirements: running/panel/GET /envelopes/{id}/audit
  test('is a PDF download for a client that accepts one', async () => {
    const { id } = await aSignedEnvelope(service, { title: 'Lease / Überlassung', signers: [ADA, BEN] })
    const path = `${service.url}/settings/api/envelopes/${id}/audit`
    const cookie = [...admin.cookies].map((pair) => pair.join('=')).join('; ')
    const response = await fetch(path, { headers: { Cookie: cookie, Accept: 'application/pdf' } })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="Lease _ [^"]+-audit\.pdf"; filename\*=/)
    expect(response.headers.get('cache-control')).toContain('no-store')
    expect(Buffer.from(await response.arrayBuffer()).toString('latin1')).toMatch(/^%PDF-1\.7[^]+%%EOF\s*$/)
  })

  test("is a report in the organisation's language", async () => {
    const { id } = await aDraft(service.client)
    const caller: PersonCaller = {
      kind: 'person',
      orgId: service.organisation.orgId,
      personId: admin.person.personId,
      role: 'ADMIN',
      email: admin.person.email,
      name: 'Robin',
      origin: { address: null, userAgent: null },
    }
    const titles: string[] = []
    for (const locale of ['de', 'en']) {
      await admin.patch('/organisation', { locale })
      const { pdf } = await getAuditReport(service.api, service.reports, caller, EnvelopeId.parse(id))
      const task = getDocument({ data: new Uint8Array(pdf), verbosity: 0 })
      const { info } = await (await task.promise).getMetadata()
      titles.push(String(Reflect.get(info, 'Title')))
      await task.destroy()
    }
    expect(titles).toEqual(['Prüfprotokoll: Garden lease', 'Audit trail: Garden lease'])
  })

  test.each([
    ['*/*', 'application/json; charset=utf-8'],
    ['text/html, application/pdf;q=0.9, application/json;q=0.1', 'application/pdf'],
    ['application/*', 'application/json; charset=utf-8'],
  ])('answers Accept: %s with %s', async (Accept, type) => {
    const { id } = await aDraft(service.client)
    const { status, headers } = await admin.get(`/envelopes/${id}/audit`, { Accept })
    expect([status, headers.get('content-type')]).toEqual([200, type])
  })

  test('is not available in any other type', async () => {
    const { id } = await aDraft(service.client)
    for (const Accept of ['text/csv', 'application/xml', 'application/json;q=0']) {
      const { status, body } = await admin.get(`/envelopes/${id}/audit`, { Accept })
      expect([status, body.code]).toEqual([406, 'NOT_ACCEPTABLE'])
    }
  })

  test('requires a session before anything else', async () => {
    const { id } = await aDraft(service.client)
    const response = await fetch(`${service.url}/settings/api/envelopes/${id}/audit`, { headers: { Accept: 'text/csv' } })
    expect([response.status, await response.text()]).toEqual([401, ''])
  })
})
