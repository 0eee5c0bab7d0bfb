// Derives an example from each schema, so that it stays current; a test validates it against the schema.
import { isRecord } from './schemas.ts'
import type { JsonSchema } from './types.ts'

/** A value that matches the schema; `name` is the member that holds it and selects a realistic value. */
export function exampleOf(schema: JsonSchema, components: Record<string, JsonSchema>, name = ''): unknown {
  const { $ref, examples, const: only, enum: names, anyOf, oneOf = anyOf } = schema
  if (typeof $ref === 'string') return exampleOf(components[$ref.split('/').at(-1) ?? ''] ?? {}, components, name)
  const given: unknown = [examples, only, names].flat().find((value) => value !== undefined)
  if (given !== undefined) return given
  if (Array.isArray(oneOf)) return exampleOf(oneOf[0] ?? {}, components, name)
  return exampleOfType(schema, components, name)
}

function exampleOfType(schema: JsonSchema, components: Record<string, JsonSchema>, name: string): unknown {
  const [type]: unknown[] = [schema['type']].flat()
  if (type === 'object') return exampleOfObject(schema, components)
  if (type === 'array') return [exampleOf(isRecord(schema['items']) ? schema['items'] : {}, components, name.replace(/s$/, ''))]
  if (type === 'boolean') return TRUE_NAMES.has(name)
  if (type === 'integer' || type === 'number') return exampleOfNumber(schema, name)
  return TEXTS[name] ?? exampleOfText(schema)
}

function exampleOfNumber({ minimum }: JsonSchema, name: string): number {
  const least = typeof minimum === 'number' ? minimum : undefined
  return Math.max(NUMBERS[name] ?? least ?? 1, least ?? Number.NEGATIVE_INFINITY)
}

function exampleOfObject({ properties, additionalProperties }: JsonSchema, components: Record<string, JsonSchema>): unknown {
  if (!isRecord(properties)) {
    return isRecord(additionalProperties) ? { [ID]: exampleOf(additionalProperties, components) } : {}
  }
  const members = Object.entries(properties).filter(([name]) => name !== 'orgId' || 'id' in properties)
  return Object.fromEntries(members.map(([name, member]) => [name, exampleOf(isRecord(member) ? member : {}, components, name)]))
}

function exampleOfText({ format }: JsonSchema): string {
  if (format === 'uuid') return ID
  if (format === 'date-time') return '2026-11-21T09:30:00.000Z'
  if (format === 'uri') return `https://sign.example.test/downloads/documents/${ID}?expires=1795339800&signature=...`
  if (format === 'email') return 'ada@example.test'
  return 'text'
}

const ID = '0b8f6c1e-4a52-4c0b-9d0e-3d6f0c7b1a42'
const TOKEN = 'p3v1yPq8Qk0mB7xN2sVw5tRz9aLc4dEf6gHj1uKiOe8'
const TRUE_NAMES = new Set([
  'isGeneral',
  'groupsReady',
  'valid',
  'verified',
  'resent',
  'signedDocumentsReady',
  'enabled',
  'delivered',
])
const NUMBERS: Record<string, number> = {
  page: 0,
  size: 20,
  sizeBytes: 48_213,
  linkTtlHours: 72,
  durationMs: 42_000,
  expiresInSeconds: 600,
  resendAvailableInSeconds: 60,
}
const TEXTS: Record<string, string> = {
  title: 'Lease for plot 14',
  name: 'Ada Signer',
  signerName: 'Ada Signer',
  email: 'ada@example.test',
  signerEmail: 'ada@example.test',
  filename: 'lease.pdf',
  expiresAt: '2026-12-21T09:30:00.000Z',
  envelopeTitle: 'Lease for plot 14',
  workspaceName: 'General',
  createdBy: 'swc_4f1d8a2b',
  message: 'Please sign by Friday.',
  token: TOKEN,
  signingUrl: `https://sign.example.test/sign/${TOKEN}`,
  signatureImage: 'data:image/png;base64,iVBORw0KGgo...',
  otpCode: '493027',
  code: '493027',
  labels: 'contract=lease-14',
}
