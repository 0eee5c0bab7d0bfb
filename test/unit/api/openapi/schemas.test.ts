import { z } from 'zod'
import { describe, expect, test } from 'vitest'
import { collectSchemas } from '../../../../api/openapi/schemas.ts'
import { text } from '../../../../api/schemas/text.ts'

const Signer = z.object({ name: text(5) }).meta({ id: 'Signer', description: 'Who signs.' })

function used(schema: z.ZodType) {
  return collectSchemas().use(schema)
}

describe('use', () => {
  test('creates a component for each named schema, also for nested ones', () => {
    const schemas = collectSchemas()
    const Envelope = z.object({ signers: z.array(Signer) }).meta({ id: 'Envelope' })
    expect(schemas.use(Envelope).schema).toEqual({ $ref: '#/components/schemas/Envelope' })
    expect(schemas.components['Envelope']).toMatchObject({
      properties: { signers: { items: { $ref: '#/components/schemas/Signer' } } },
    })
    expect(schemas.components['Signer']).toMatchObject({ type: 'object', description: 'Who signs.', required: ['name'] })
  })

  test("publishes the validator's limits", () => {
    expect(used(text(255)).schema).toEqual({ type: 'string', minLength: 1, maxLength: 255 })
    expect(used(text(10, 0)).schema).toEqual({ type: 'string', maxLength: 10 })
  })

  test.each([
    ['an optional schema', z.string().optional(), false],
    ['one with a default', z.string().default('a'), false],
    ['a plain one', z.string(), true],
  ])('tells whether a value is due: %s', (_name, schema, required) => {
    expect(used(schema).required).toBe(required)
  })

  test('describes the input, not the transformed value', () => {
    expect(used(z.string().transform(Number)).schema).toEqual({ type: 'string' })
  })

  test('writes "or null" into the type, and keeps an anyOf with a component', () => {
    expect(used(z.enum(['A', 'B']).nullable()).schema).toEqual({ type: ['string', 'null'], enum: ['A', 'B', null] })
    expect(used(z.iso.datetime().nullable().describe('When.')).schema).toEqual({
      type: ['string', 'null'],
      format: 'date-time',
      description: 'When.',
    })
    expect(used(Signer.nullable()).schema).toEqual({ anyOf: [{ $ref: '#/components/schemas/Signer' }, { type: 'null' }] })
  })

  test("drops redundant keywords, but no member with a keyword's name", () => {
    expect(used(z.guid()).schema).toEqual({ type: 'string', format: 'uuid' })
    expect(used(z.int()).schema).toEqual({ type: 'integer' })
    expect(used(z.int().min(0)).schema).toEqual({ type: 'integer', minimum: 0 })
    expect(used(z.record(z.string(), z.int())).schema).toEqual({ type: 'object', additionalProperties: { type: 'integer' } })
    const members = { pattern: z.string(), minimum: z.int(), format: z.guid(), propertyNames: z.string() }
    expect(Object.keys(used(z.object(members)).schema['properties'] ?? {})).toEqual(Object.keys(members))
  })
})

test('fieldsOf returns the members and whether each is required', () => {
  const fields = collectSchemas().fieldsOf(z.object({ id: z.guid(), page: z.string().optional() }))
  expect(fields).toEqual([
    { name: 'id', required: true, schema: { type: 'string', format: 'uuid' } },
    { name: 'page', required: false, schema: { type: 'string' } },
  ])
})
