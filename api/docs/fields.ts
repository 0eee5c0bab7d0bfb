// The members of a schema as table rows: dotted names, types, limits.
import { fieldsIn, isRecord } from '../openapi/schemas.ts'
import type { JsonSchema } from '../openapi/types.ts'

export interface FieldRow {
  /** `signers[].email`. */
  name: string
  type: string
  required: boolean
  limits: string
  description: string
}

type Components = Record<string, JsonSchema>

/** Every member of an object, including nested objects and lists. */
export function rowsOf(schema: JsonSchema, components: Components, prefix = ''): FieldRow[] {
  const resolved = resolve(schema, components)
  const items = resolved['items']
  if (isRecord(items)) return rowsOf(items, components, `${prefix}[]`)
  const start = prefix && `${prefix}.`
  return fieldsIn(resolved).flatMap(({ name, required, schema: member }) => [
    toRow(start + name, required, member, components),
    ...rowsOf(member, components, start + name),
  ])
}

/** One row, without nested members. */
export function toRow(name: string, required: boolean, schema: JsonSchema, components: Components): FieldRow {
  const resolved = resolve(schema, components)
  const { description } = { ...resolved, ...schema }
  const isMember = typeof schema['$ref'] === 'string' && resolved['type'] === 'object'
  return {
    name,
    required,
    type: typeOf(resolved, components),
    limits: limitsOf(resolved),
    description: typeof description === 'string' && !isMember ? description : '',
  }
}

/** The schema that a reference points to. */
export function resolve(schema: JsonSchema, components: Components): JsonSchema {
  const { $ref, anyOf, oneOf } = schema
  if (typeof $ref === 'string') return components[$ref.split('/').at(-1) ?? ''] ?? {}
  const [value]: unknown[] = Array.isArray(anyOf) ? anyOf : []
  const [first]: unknown[] = Array.isArray(oneOf) ? oneOf : []
  if (isRecord(first)) return resolve(first, components)
  return isRecord(value) ? { ...resolve(value, components), nullable: true } : schema
}

function typeOf(schema: JsonSchema, components: Components): string {
  const types = [schema['type']].flat().filter((type) => typeof type === 'string')
  const [first = 'any'] = types
  const { items, format, enum: names, const: only, additionalProperties: values } = schema
  const word = () => {
    if (only !== undefined) return JSON.stringify(only)
    if (Array.isArray(names)) return names.filter((name) => name !== null).join(' | ')
    if (first === 'array') return `list of ${isRecord(items) ? typeOf(resolve(items, components), components) : 'any'}`
    if (first === 'object' && isRecord(values) && !schema['properties']) return `object of ${typeOf(values, components)}`
    return typeof format === 'string' ? format : first
  }
  return word() + (types.includes('null') || schema['nullable'] ? ' or null' : '')
}

function limitsOf({
  minLength,
  maxLength,
  minimum,
  maximum,
  minItems,
  maxItems,
  maxProperties,
  default: usual,
}: JsonSchema): string {
  return [
    range(minLength, maxLength, 'characters'),
    range(minimum, maximum, ''),
    range(minItems, maxItems, 'entries'),
    range(undefined, maxProperties, 'pairs'),
    usual === undefined ? '' : `default ${JSON.stringify(usual)}`,
  ]
    .filter(Boolean)
    .join(', ')
}

function range(least: unknown, most: unknown, unit: string): string {
  const number = (value: unknown) => Number(value).toLocaleString('en')
  if (least === undefined && most === undefined) return ''
  if (most === undefined) return `at least ${number(least)} ${unit}`.trim()
  if (least === undefined || least === 0) return `at most ${number(most)} ${unit}`.trim()
  return `${number(least)} to ${number(most)} ${unit}`.trim()
}
