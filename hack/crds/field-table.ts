// The fields of a structural schema, one line each, for the documentation.
import type { Schema } from './crd.ts'

export interface Field {
  path: string
  type: string
  isRequired: boolean
  description: string
}

/** All fields below `schema`, parents before their children. Throws if a field has no description: `kubectl explain` would show nothing. */
export function fieldsOf(schema: Schema, parent: string): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const path = `${parent}.${name}`
    if (typeof member === 'boolean' || !member.description) throw new Error(`${path} has no description.`)
    const field = {
      path,
      type: typeOf(member),
      isRequired: schema.required?.includes(name) ?? false,
      description: member.description,
    }
    return [field, ...fieldsOf(contentOf(member), member.type === 'array' ? `${path}[]` : path)]
  })
}

function contentOf(schema: Schema): Schema {
  const { type, items } = schema
  return type === 'array' && typeof items === 'object' && !Array.isArray(items) ? items : schema
}

function typeOf(schema: Schema): string {
  const { type, format } = schema
  if (schema.enum) return schema.enum.map((value) => `\`${String(value)}\``).join(', ')
  if (type === 'array') return `list of ${typeOf(contentOf(schema))}`
  if (format === 'date-time') return 'time'
  return String(type)
}
