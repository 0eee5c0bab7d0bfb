import { EVENT_TYPES, type EventType } from '#core/messaging/subjects.ts'
import { newSyntheticEvent } from '#core/webhook/synthetic-event.ts'
import { readFile } from 'node:fs/promises'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { describeApi, describePanel } from '../../api/openapi/document.ts'
import type { MediaType, OpenApiDocument, Operation } from '../../api/openapi/types.ts'
import { renderEvent } from '#core/event/payload.ts'

const DOCUMENTS = [
  { name: 'openapi.json', make: describeApi },
  { name: 'settings.json', make: describePanel },
] as const

function operationsOf({ paths }: OpenApiDocument): Operation[] {
  return Object.values(paths).flatMap((item) => Object.values(item))
}

/** ajv with the document's components, for schemas that refer to them. */
function schemasOf({ components }: OpenApiDocument) {
  const ajv = new Ajv2020({ strict: false, formats: { int32: true, int64: true, binary: true } })
  ajvFormats.default(ajv)
  ajv.addSchema({ $id: 'document', components: JSON.parse(JSON.stringify(components)) })
  return (schema: object, value: unknown): string => {
    const rooted = JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/'))
    return ajv.validate(rooted, value) ? '' : ajv.errorsText()
  }
}

describe.each(DOCUMENTS)('$name', ({ name, make }) => {
  const document = make()

  test('is OpenAPI 3.1 also for another validator', async () => {
    const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(document)))
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined })
  })

  test('is committed as served, except for the address', async () => {
    const committed = await readFile(`api/openapi/${name}`, 'utf8')
    expect(JSON.parse(committed)).toEqual(JSON.parse(JSON.stringify(document)))
    const served = JSON.stringify(make('https://sign.example.test'))
    expect(JSON.parse(served).servers).toEqual([{ url: 'https://sign.example.test' }])
  })

  test('names every operation once, with a summary and a described tag', () => {
    const operations = operationsOf(document)
    const ids = operations.map(({ operationId }) => operationId)
    expect(ids).toEqual([...new Set(ids)])
    const chapters = new Set(document.tags.map((tag) => tag.name))
    const poor = operations.filter(
      ({ summary, operationId, tags }) => summary === operationId || !tags.every((tag) => chapters.has(tag)),
    )
    expect(poor.map(({ operationId }) => operationId)).toEqual([])
  })

  test('gives examples that match their schemas', () => {
    const faultOf = schemasOf(document)
    const media = [
      ...operationsOf(document),
      ...Object.values(document.webhooks ?? {}).flatMap((item) => Object.values(item)),
    ].flatMap(({ operationId, requestBody, responses }) => [
      ...Object.values(requestBody?.content ?? {}).map((content) => ({ operationId, ...content })),
      ...Object.values(responses).flatMap((answer) =>
        'content' in answer ? Object.values(answer.content ?? {}).map((content) => ({ operationId, ...content })) : [],
      ),
    ])
    const shown = media.filter((content): content is MediaType & { operationId: string } => content.example !== undefined)
    expect(shown.length).toBeGreaterThan(10)
    expect(
      shown.map(({ operationId, schema, example }) => [operationId, faultOf(schema ?? {}, example)]).filter(([, fault]) => fault),
    ).toEqual([])
    const errors = Object.entries(document.components.examples)
    expect(
      errors
        .map(([code, { value }]) => [code, faultOf({ $ref: '#/components/schemas/ErrorResponse' }, value)])
        .filter(([, fault]) => fault),
    ).toEqual([])
  })

  test('refers only to existing components, and uses every component', () => {
    const text = JSON.stringify(document)
    const referred = new Set([...text.matchAll(/"#\/components\/(\w+\/[\w-]+)"/g)].map(([, place]) => place))
    const present = Object.entries(document.components)
      .filter(([kind]) => kind !== 'securitySchemes')
      .flatMap(([kind, parts]) => Object.keys(parts).map((part) => `${kind}/${part}`))
    expect(referred).toEqual(new Set(present))
  })
})

test('a rendered event matches WebhookEvent', () => {
  const document = describeApi()
  const envelope = { id: crypto.randomUUID(), title: 'Lease', status: 'SENT', createdAt: new Date(), expiresAt: null }
  const signer = {
    id: crypto.randomUUID(),
    email: 'ada@example.test',
    name: 'Ada',
    signOrder: 1,
    status: 'SIGNED',
    signedAt: new Date(),
  }
  const faultOf = schemasOf(document)
  const event = { $ref: '#/components/schemas/WebhookEvent' }
  expect(faultOf(event, renderEvent('envelope.sent', new Date(), envelope))).toBe('')
  expect(faultOf(event, renderEvent('signer.signed', new Date(), envelope, signer))).toBe('')
  expect(faultOf(event, renderEvent('signer.signed', new Date(), envelope, { ...signer, status: 'GONE' }))).not.toBe('')
})

test('the example of each event has the members and states of an event of its type, and its headers are described', () => {
  const webhooks = Object.entries(describeApi().webhooks ?? {})
  expect(webhooks.map(([type]) => type).toSorted()).toEqual([...EVENT_TYPES].toSorted())
  for (const [type, { post }] of webhooks) {
    const example = JSON.parse(JSON.stringify(post?.requestBody?.content['application/json']?.example))
    const event = JSON.parse(newSyntheticEvent(type as EventType, new Date()).body)
    const statesOf = ({ data: { envelope, signer } }: typeof event) => [
      envelope.status,
      signer?.status,
      signer && signer.signedAt === null,
    ]
    const membersOf = ({ data: { envelope, signer }, ...rest }: typeof event) => [rest, envelope, signer ?? {}].map(Object.keys)
    expect([type, example.type, ...statesOf(example)]).toEqual([type, type, ...statesOf(event)])
    expect(membersOf(example)).toEqual(membersOf(event))
    const headers = post?.parameters?.map((each) => ('name' in each ? [each.name, each.required] : each))
    expect(headers).toEqual([
      ['X-Svc-Signature', true],
      ['X-Svc-Event-Id', true],
      ['X-Svc-Event-Type', true],
      ['X-Svc-Test', false],
    ])
  }
})

const READ = [400, 401, 403]
const CHANGE = [...READ, 409, 422, 429]
const CEREMONY_POST = [400, 404, 409, 422, 429]

test.each([
  ['post', '/api/v1/documents', 'uploadDocument', 201, CHANGE],
  ['get', '/api/v1/envelopes', 'listEnvelopes', 200, READ],
  ['post', '/api/v1/envelopes', 'createEnvelope', 201, CHANGE],
  ['get', '/api/v1/envelopes/stats', 'getEnvelopeStats', 200, READ],
  ['get', '/api/v1/envelopes/{id}', 'getEnvelope', 200, [...READ, 404]],
  ['post', '/api/v1/envelopes/{id}/cancel', 'cancelEnvelope', 204, [...CHANGE, 404]],
  ['get', '/api/v1/envelopes/{id}/documents', 'listEnvelopeDocuments', 200, [...READ, 404]],
  ['post', '/api/v1/envelopes/{id}/documents', 'uploadEnvelopeDocument', 201, [...CHANGE, 404]],
  ['post', '/api/v1/envelopes/{id}/signers', 'addSigner', 201, [...CHANGE, 404]],
  ['post', '/api/v1/envelopes/{id}/send', 'sendEnvelope', 200, [...CHANGE, 404]],
  ['get', '/api/v1/workspaces', 'listWorkspaces', 200, READ],
  ['get', '/api/v1/sign/{token}', 'openSigningLink', 200, [400, 404]],
  ['post', '/api/v1/sign/{token}/request-otp', 'requestOtp', 200, CEREMONY_POST],
  ['post', '/api/v1/sign/{token}/verify-otp', 'verifyOtp', 200, CEREMONY_POST],
  ['post', '/api/v1/sign/{token}/view-opened', 'recordViewOpened', 204, CEREMONY_POST],
  ['post', '/api/v1/sign/{token}/view-closed', 'recordViewClosed', 204, CEREMONY_POST],
  ['post', '/api/v1/sign/{token}/sign', 'sign', 200, CEREMONY_POST],
  ['get', '/api/v1/sign/{token}/signed-documents', 'getSignedCopy', 200, [400, 404]],
  ['get', '/api/v1/verify', 'verifyDocument', 200, [400]],
] as const)(
  '%s %s is %s, answers %i and declares the statuses of the description',
  (method, path, operationId, success, refusals) => {
    const operation = describeApi().paths[path]?.[method]
    expect(operation?.operationId).toBe(operationId)
    const declared = Object.keys(operation?.responses ?? {}).map(Number)
    expect(declared).toEqual(expect.arrayContaining([success, ...refusals]))
    expect(declared.filter((status) => status < 300)).toEqual([success])
  },
)
