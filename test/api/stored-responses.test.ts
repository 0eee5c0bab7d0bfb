// A stored response describes an envelope, and for a send it contains the tokens: a caller who has lost the role since must not get it
// again.
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Answer, ApiClient } from '../support/clients/api-client.ts'
import { ADA, aDraft, BEN } from '../support/builders/envelopes.ts'
import { expectReplay, postOnce, uploadOnce } from '../support/clients/keyed-requests.ts'
import { pdfFixture } from '../support/builders/pdf-fixtures.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

const ENVELOPES = '/api/v1/envelopes'
const ALL = ['envelope:read', 'envelope:create', 'envelope:send', 'envelope:cancel']

let service: TestService
let pdf: Buffer
let other: Awaited<ReturnType<TestService['anotherOrganisation']>>

beforeAll(async () => {
  service = await testService()
  pdf = await readFile(pdfFixture('reportlab.pdf'))
})
beforeEach(async () => {
  other = await service.anotherOrganisation()
})
afterAll(() => service[Symbol.asyncDispose]())

/** Sets the credential's permissions in General; none removes its role there. */
async function grant(permissions: readonly string[]): Promise<void> {
  const { orgId } = other.organisation
  await service.database.owner`delete from credential_grants where org_id = ${orgId}`
  if (permissions.length > 0)
    await service.database.owner`
      insert into credential_grants
      select ${orgId}, c.id, w.id, ${service.database.owner.array([...permissions])}::text[]
      from credentials c join workspaces w using (org_id) where org_id = ${orgId} and w.is_general`
}

type Post = (client: ApiClient, key: string) => Promise<Answer>

/** A successful request, to be repeated. */
async function prepare(operation: string): Promise<Post> {
  const { client } = other
  const { id } = await aDraft(client)
  if (operation === 'cancelEnvelope') await client.post(`${ENVELOPES}/${id}/send`)
  const requests: Record<string, Post> = {
    createEnvelope: (by, key) => postOnce(by, key, ENVELOPES, { title: 'Garden lease', signers: [ADA] }),
    addSigner: (by, key) => postOnce(by, key, `${ENVELOPES}/${id}/signers`, BEN),
    uploadEnvelopeDocument: (by, key) => uploadOnce(by, key, `${ENVELOPES}/${id}/documents`, pdf),
    sendEnvelope: (by, key) => postOnce(by, key, `${ENVELOPES}/${id}/send`),
    cancelEnvelope: (by, key) => postOnce(by, key, `${ENVELOPES}/${id}/cancel`),
  }
  return requests[operation]!
}

describe('the stored response', () => {
  // requirements: decisions/envelopes/Idempotency-Key
  test.each([
    ['createEnvelope', 'envelope:create', [404, 'WORKSPACE_NOT_FOUND'], 'WORKSPACE_NOT_FOUND'],
    ['addSigner', 'envelope:create', [403, undefined], 'ENVELOPE_NOT_FOUND'],
    ['uploadEnvelopeDocument', 'envelope:create', [403, undefined], 'ENVELOPE_NOT_FOUND'],
    ['sendEnvelope', 'envelope:send', [403, undefined], 'ENVELOPE_NOT_FOUND'],
    ['cancelEnvelope', 'envelope:cancel', [403, undefined], 'ENVELOPE_NOT_FOUND'],
  ] as const)('of %s is for who has %s, as the first was', async (operation, permission, withoutIt, unreadable) => {
    const request = await prepare(operation)
    const key = randomUUID()
    const once = () => request(other.client, key)
    await grant(['envelope:read', permission])
    const first = await once()
    expect([200, 201, 204]).toContain(first.status)
    await grant(ALL.filter((each) => each !== permission))
    const refused = await once()
    expect([refused.status, refused.body.code]).toEqual(withoutIt)
    await grant([])
    const unknown = await once()
    expect([unknown.status, unknown.body.code]).toEqual([404, unreadable])
    await grant(['envelope:read', permission])
    expectReplay(await once(), first)
  })
})
