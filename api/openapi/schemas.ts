// Converts zod to JSON Schema, so that the schemas that validate are the ones published. Named ones become components.
import { z } from 'zod'
import type { JsonSchema } from './types.ts'

export interface Field {
  name: string
  required: boolean
  schema: JsonSchema
}

export interface SchemaCollector {
  /** Schemas named with `.meta({ id })`, by that name. */
  components: Record<string, JsonSchema>
  /** The schema as published, and whether a value is required. */
  use(schema: z.ZodType): { schema: JsonSchema; required: boolean }
  /** The members of an object schema. */
  fieldsOf(schema: z.ZodType): Field[]
}

/** Collects the components of one document. Schemas describe input before any transformation. */
export function collectSchemas(): SchemaCollector {
  const components: Record<string, JsonSchema> = {}
  const convert = (schema: z.ZodType): JsonSchema => {
    const { $schema: _, $defs, ...converted } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
    for (const [name, component] of Object.entries($defs ?? {})) components[name] = tidy(component)
    return tidy(converted)
  }
  return {
    components,
    use(schema) {
      // Inside an object, a named schema becomes a reference and an optional one shows as optional.
      const [field] = fieldsIn(convert(z.object({ value: schema })))
      if (!field) throw new Error('A schema got lost on its way.')
      return field
    },
    fieldsOf: (schema) => fieldsIn(convert(schema)),
  }
}

/** The members of an object's JSON Schema. */
export function fieldsIn({ properties, required }: JsonSchema): Field[] {
  const due = new Set(Array.isArray(required) ? required : [])
  return Object.entries(isRecord(properties) ? properties : {}).map(([name, schema]) => ({
    name,
    required: due.has(name),
    schema: isRecord(schema) ? schema : {},
  }))
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Drops what carries no information: patterns behind formats, JavaScript's integer range, names that are strings. */
function tidy(given: unknown): JsonSchema {
  const schema: JsonSchema = {}
  for (const [keyword, part] of Object.entries(isRecord(given) ? given : {})) {
    if (!saysNothing(keyword, part, given)) schema[keyword] = tidyPart(keyword, part)
  }
  return foldNull(schema)
}

function tidyPart(keyword: string, part: unknown): unknown {
  if (keyword === '$ref') return String(part).replace('#/$defs/', '#/components/schemas/')
  if (keyword === 'properties' && isRecord(part)) return mapValues(part, tidy)
  if (SUBSCHEMA.has(keyword)) return Array.isArray(part) ? part.map(tidy) : isRecord(part) ? tidy(part) : part
  return part
}

const SUBSCHEMA = new Set(['items', 'additionalProperties', 'propertyNames', 'anyOf', 'oneOf', 'allOf', 'not', 'prefixItems'])

function mapValues<Value>(record: Record<string, unknown>, map: (value: unknown) => Value): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]))
}

function saysNothing(keyword: string, part: unknown, schema: unknown): boolean {
  if (keyword === 'pattern') return isRecord(schema) && (schema['format'] === 'uuid' || schema['format'] === 'date-time')
  if (keyword === 'minimum') return part === Number.MIN_SAFE_INTEGER
  if (keyword === 'maximum') return part === Number.MAX_SAFE_INTEGER
  if (keyword === 'propertyNames') return isRecord(part) && Object.keys(part).join() === 'type'
  return part === undefined
}

/** Rewrites `anyOf: [X, null]` as X with two types; a reference stays an `anyOf`. */
function foldNull(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema
  const [value, none]: unknown[] = anyOf
  if (!isRecord(value) || !isRecord(none) || none['type'] !== 'null' || typeof value['type'] !== 'string') return schema
  const { enum: names } = value
  return { ...value, ...rest, type: [value['type'], 'null'], ...(Array.isArray(names) && { enum: [...names, null] }) }
}
