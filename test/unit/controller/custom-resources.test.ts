// What the schemas promise before any API server sees them. test/kubernetes/crds.test.ts tests the rest.
import { describe, expect, test } from 'vitest'
import { crdYaml, structuralSchema } from '../../../hack/crds/crd.ts'
import { fieldsOf } from '../../../hack/crds/field-table.ts'
import { SIGNING_KEY_KIND, type SigningKeyObject } from '../../../controller/signing-key/resource.ts'
import {
  WEBHOOK_FINALIZER,
  WEBHOOK_SUBSCRIPTION_KIND,
  type WebhookSubscription,
} from '../../../controller/webhook-subscription/resource.ts'

const MOST_BYTES = 100_000
const UNBOUNDED = { string: ['maxLength', 'enum'], array: ['maxItems'] } as const

describe.each([WEBHOOK_SUBSCRIPTION_KIND, SIGNING_KEY_KIND])('$resource.kind', (kind) => {
  const schemas = { spec: structuralSchema(kind.spec), status: structuralSchema(kind.status) }

  test('has a description in every field', () => {
    for (const [name, schema] of Object.entries(schemas))
      for (const { path, description } of fieldsOf(schema, name)) expect(description, path).toMatch(/^[A-Z`].*\.$/s)
  })

  test('bounds every string and list, and has no defaults', () => {
    for (const { path, schema } of schemasIn(schemas, kind.resource.kind)) {
      const type = schema['type']
      if (type === 'string' || type === 'array')
        expect(
          UNBOUNDED[type].some((keyword) => keyword in schema),
          path,
        ).toBe(true)
      expect(schema, path).not.toHaveProperty('default')
    }
  })

  test('is small', () => {
    expect(Buffer.byteLength(crdYaml(kind))).toBeLessThan(MOST_BYTES)
  })
})

test('a description is demanded of every field', () => {
  expect(() => fieldsOf({ type: 'object', properties: { a: { type: 'string' } } }, 'spec')).toThrow('spec.a has no description.')
})

test('the types describe objects that the schemas accept', () => {
  const webhook: Pick<WebhookSubscription, 'metadata' | 'spec'> = {
    metadata: { name: 'billing', uid: 'uid-1', finalizers: [WEBHOOK_FINALIZER] },
    spec: { orgId: '0198c1de-0000-7000-8000-000000000001', url: 'https://hooks.example.com/', events: ['envelope.sent'] },
  }
  const key: Pick<SigningKeyObject, 'spec'> = { spec: { provider: { type: 'SelfSigned', selfSigned: {} } } }
  expect(WEBHOOK_SUBSCRIPTION_KIND.spec.safeParse(webhook.spec).success).toBe(true)
  expect(SIGNING_KEY_KIND.spec.safeParse(key.spec).success).toBe(true)
  expect(WEBHOOK_SUBSCRIPTION_KIND.spec.safeParse({ ...webhook.spec, events: [] }).success).toBe(false)
})

/** Every schema with a type below `value`. */
function schemasIn(value: unknown, path: string): { path: string; schema: Record<string, unknown> }[] {
  if (typeof value !== 'object' || value === null) return []
  const below = Object.entries(value).flatMap(([name, member]) => schemasIn(member, `${path}.${name}`))
  return 'type' in value && typeof value.type === 'string' ? [{ path, schema: { ...value } }, ...below] : below
}
