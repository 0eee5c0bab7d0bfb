import { newId, DocumentId, EnvelopeId, OrgId, SignerId, WorkspaceId } from '#core/ids.ts'
import { describe, expect, test } from 'vitest'
import { CreateEnvelopeBody } from '../../../../api/schemas/create-envelope.ts'
import { toEnvelopeResponse } from '../../../../api/responses/envelope.ts'
import { toSignerResponse } from '../../../../api/responses/signer.ts'
import { AddSignerBody } from '../../../../api/schemas/signer.ts'

const ADA = { email: 'ada@example.test', name: 'Ada Signer' }
const PLAIN = { title: 'Lease', signers: [ADA] }
const ID = '6f1f2c1e-7a52-4c0b-9d0e-0d6f0c7b1a00'

/** The paths of the rejected fields. */
function faultsOf(body: unknown): string[] {
  const parsed = CreateEnvelopeBody.safeParse(body)
  return parsed.success ? [] : parsed.error.issues.map(({ path }) => path.join('.'))
}

describe('a new envelope', () => {
  test('requires only a title; the rules check its signers', () => {
    expect(CreateEnvelopeBody.parse({ title: 'Lease' })).toEqual({ title: 'Lease', signers: [], documentIds: [], labels: [] })
  })

  test('accepts null for optional fields', () => {
    const absent = { message: null, signers: null, documentIds: null, otpRequired: null, sequentialSigning: null }
    const more = { expiresAt: null, linkTtlHours: null, labels: null, workspaceId: null, orgId: null }
    expect(CreateEnvelopeBody.parse({ title: 'Lease', ...absent, ...more })).toMatchObject({
      signers: [],
      documentIds: [],
      labels: [],
    })
    expect(AddSignerBody.parse({ ...ADA, signOrder: null })).toEqual({ ...ADA, signOrder: undefined })
  })

  test('drops unknown fields', () => {
    expect(CreateEnvelopeBody.parse({ ...PLAIN, status: 'COMPLETED', createdBy: 'me' })).not.toHaveProperty('status')
  })

  test.each([
    ['no object', null, ['']],
    ['no title', { signers: [ADA] }, ['title']],
    ['an empty title', { ...PLAIN, title: '' }, ['title']],
    ['a title of 256 characters', { ...PLAIN, title: 'x'.repeat(256) }, ['title']],
    ['a message of 10,001 characters', { ...PLAIN, message: 'x'.repeat(10_001) }, ['message']],
    ['a signer without a name', { ...PLAIN, signers: [ADA, { email: ADA.email }] }, ['signers.1.name']],
    ['a signer with two addresses', { ...PLAIN, signers: [{ ...ADA, email: 'a@b.test,c@d.test' }] }, ['signers.0.email']],
    ['a flag that is a text', { ...PLAIN, otpRequired: 'true' }, ['otpRequired']],
    ['a link life of 0 hours', { ...PLAIN, linkTtlHours: 0 }, ['linkTtlHours']],
    ['a link life of 2161 hours', { ...PLAIN, linkTtlHours: 2_161 }, ['linkTtlHours']],
    ['a link life of half an hour', { ...PLAIN, linkTtlHours: 0.5 }, ['linkTtlHours']],
    ['an expiry without an offset', { ...PLAIN, expiresAt: '2026-11-21T10:00:00' }, ['expiresAt']],
    ['a document that is no id', { ...PLAIN, documentIds: ['x'] }, ['documentIds.0']],
    ['a document twice', { ...PLAIN, documentIds: [ID, ID] }, ['documentIds']],
    ['a document twice, once in capitals', { ...PLAIN, documentIds: [ID, ID.toUpperCase()] }, ['documentIds']],
    ['a workspace that is no id', { ...PLAIN, workspaceId: 'General' }, ['workspaceId']],
    ['several faults, all named', { title: '', signers: 'Ada', linkTtlHours: 0 }, ['title', 'signers', 'linkTtlHours']],
  ])('is refused for %s', (_, body, faults) => {
    expect(faultsOf(body)).toEqual(faults)
  })

  test.each([
    ['a link life of an hour', { linkTtlHours: 1 }],
    ['a link life of 90 days', { linkTtlHours: 2_160 }],
    ['a message of 10,000 characters', { message: 'x'.repeat(10_000) }],
    ['an empty message', { message: '' }],
  ])('takes %s', (_, fields) => {
    expect(CreateEnvelopeBody.parse({ ...PLAIN, ...fields })).toMatchObject(fields)
  })
})

describe('labels', () => {
  const labelsOf = (json: string) => CreateEnvelopeBody.parse({ ...PLAIN, labels: JSON.parse(json) }).labels

  test('are read as pairs, in order', () => {
    expect(labelsOf('{"team":"7","cost_center":"","A/b":"ä"}')).toEqual([
      ['team', '7'],
      ['cost_center', ''],
      ['A/b', 'ä'],
    ])
  })

  test.each(['__proto__', 'constructor', 'prototype', 'toString'])('keep a key named %s for the rules to check', (key) => {
    expect(labelsOf(`{"${key}":"1"}`)).toEqual([[key, '1']])
  })

  test('keep characters that cannot be stored for the rules to check', () => {
    expect(labelsOf(String.raw`{"a":"\u0000","b":"\ud800"}`)).toEqual([
      ['a', '\0'],
      ['b', '\ud800'],
    ])
  })

  test('do not change the prototype of other objects', () => {
    labelsOf('{"__proto__":"1"}')
    expect(faultsOf({ ...PLAIN, labels: JSON.parse('{"__proto__":{"polluted":"yes"}}') })).toEqual(['labels'])
    expect({}).not.toHaveProperty('polluted')
  })

  test.each([
    ['a list', ['a']],
    ['a text', 'a=b'],
    ['a number', 7],
    ['an object with a number', { a: 1 }],
    ['an object with null', { a: null }],
    ['an object with an object', { a: { b: 'c' } }],
  ])('are refused as %s', (_, labels) => {
    expect(faultsOf({ ...PLAIN, labels })).toEqual(['labels'])
  })
})

describe('the response', () => {
  const signer = { id: newId(SignerId), ...ADA, signOrder: 1, status: 'SENT' as const, signedAt: null }
  const envelope = {
    id: newId(EnvelopeId),
    orgId: newId(OrgId),
    workspaceId: newId(WorkspaceId),
    workspaceName: 'General',
    title: 'Lease',
    message: null,
    status: 'SENT' as const,
    createdAt: new Date('2026-11-21T10:00:00.123Z'),
    createdBy: 'swc_x',
    expiresAt: null,
    documentCount: 2,
    labels: { cost_center: '42' },
    otpRequired: false,
    sequentialSigning: true,
    permissions: ['envelope:read' as const],
    signers: [signer],
  }

  test("has exactly the contract's fields, times in ISO 8601, and null when absent", () => {
    const { permissions, ...shown } = envelope
    expect(toEnvelopeResponse(envelope)).toEqual({ ...shown, createdAt: '2026-11-21T10:00:00.123Z' })
    expect(permissions).toHaveLength(1)
  })

  test('shows when it expires and when each signer signed', () => {
    const end = new Date('2026-12-01T00:00:00Z')
    const answer = toEnvelopeResponse({ ...envelope, expiresAt: end, signers: [{ ...signer, status: 'SIGNED', signedAt: end }] })
    expect(answer).toMatchObject({
      expiresAt: '2026-12-01T00:00:00.000Z',
      signers: [{ status: 'SIGNED', signedAt: '2026-12-01T00:00:00.000Z' }],
    })
  })

  test("shows only the contract's fields of a signer", () => {
    const row = { ...signer, envelopeId: envelope.id, documentId: newId(DocumentId) }
    expect(Object.keys(toSignerResponse(row))).toEqual(['id', 'email', 'name', 'signOrder', 'status', 'signedAt'])
  })
})
