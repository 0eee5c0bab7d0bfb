// Parts of the schema of the chart's values. Objects are closed: Helm refuses a key that is not listed.
import type { z } from 'zod'

export type Schema = z.core.JSONSchema.BaseSchema

/** An object of Kubernetes or of a user: any keys. */
export function anyObject(description: string, fallback: object = {}): Schema {
  return { type: 'object', description, default: fallback }
}

/** Keys and texts, such as annotations. */
export function texts(description: string): Schema {
  return { type: 'object', description, additionalProperties: { type: 'string' }, default: {} }
}

export function text(description: string, fallback?: string, more: Schema = {}): Schema {
  return { type: 'string', description, ...(fallback !== undefined && { default: fallback }), ...more }
}

export function choice(description: string, values: readonly string[], fallback: string): Schema {
  return { type: 'string', description, enum: [...values], default: fallback }
}

export function flag(description: string, fallback: boolean): Schema {
  return { type: 'boolean', description, default: fallback }
}

export function count(description: string, fallback: number | undefined, more: Schema = {}): Schema {
  return { type: 'integer', minimum: 0, description, ...(fallback !== undefined && { default: fallback }), ...more }
}

export function list(description: string, items: Schema, fallback: readonly unknown[] = []): Schema {
  return { type: 'array', description, items, default: [...fallback] }
}

/** A closed object with these keys. */
export function section(description: string, properties: Readonly<Record<string, Schema>>, more: Schema = {}): Schema {
  return { type: 'object', description, additionalProperties: false, properties: { ...properties }, ...more }
}

const OBJECT_NAME = '^$|^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$'

/** The name of a Secret of the namespace; the secret itself is never a value. */
export function secretName(description: string, example: string): Schema {
  return text(description, undefined, { pattern: OBJECT_NAME, examples: [example] })
}

/** The key in a Secret. */
export function secretKey(description: string, fallback: string): Schema {
  return text(description, fallback, { pattern: '^[-._a-zA-Z0-9]+$' })
}
