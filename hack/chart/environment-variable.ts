// Variables that users add: any, but one that holds a secret refers to a Secret instead of containing it.
import type { Schema } from './schema.ts'
import { SECRET_SETTINGS } from './settings-values.ts'

export const ENVIRONMENT_VARIABLE: Schema = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' } },
  anyOf: [
    { properties: { name: { not: { enum: [...SECRET_SETTINGS] } } } },
    { required: ['valueFrom'], properties: { value: false } },
  ],
}
