// One route as an OpenAPI operation.
import type { Route } from '../http/define-route.ts'
import { answersOf } from './responses.ts'
import { exampleOf } from './example.ts'
import type { SchemaCollector } from './schemas.ts'
import { tagOf } from './tags.ts'
import type { JsonSchema, MediaType, Operation, Parameter, Reference } from './types.ts'

/** The operation; its schemas are added to the collector. */
export function describeOperation(route: Route, schemas: SchemaCollector): Operation {
  const { operationId, summary, description } = route
  const parameters = parametersOf(route, schemas)
  const requestBody = requestBodyOf(route, schemas)
  return {
    operationId,
    summary,
    ...(description && { description }),
    tags: [tagOf(route.path)],
    security: securityOf(route),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: answersOf(route, schemas),
  }
}

/** `/envelopes/:id` as `/envelopes/{id}`. */
export function templateOf(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}')
}

function parametersOf(route: Route, schemas: SchemaCollector): (Parameter | Reference)[] {
  const inPath = schemas.fieldsOf(route.params).map((field) => toParameter('path', field))
  const inQuery = route.query ? schemas.fieldsOf(route.query).map((field) => toParameter('query', field)) : []
  const inHeader = 'idempotent' in route && route.idempotent ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []
  return [...inPath, ...inQuery, ...inHeader]
}

function toParameter(place: Parameter['in'], field: ReturnType<SchemaCollector['fieldsOf']>[number]): Parameter {
  const { description, allowEmptyValue, ...schema } = field.schema
  return {
    name: field.name,
    in: place,
    required: place === 'path' || field.required,
    ...(typeof description === 'string' && { description }),
    ...(allowEmptyValue === true && { allowEmptyValue }),
    schema,
  }
}

function requestBodyOf(route: Route, schemas: SchemaCollector): Operation['requestBody'] {
  if (route.audience === 'organisation upload') return { required: true, content: { 'multipart/form-data': UPLOAD } }
  if (!route.body) return undefined
  const { schema: given, required } = schemas.use(route.body)
  const schema = named(`${route.operationId.charAt(0).toUpperCase()}${route.operationId.slice(1)}Request`, given, schemas)
  return { required, content: { 'application/json': { schema, example: exampleOf(schema, schemas.components) } } }
}

/** Generated clients need a name for every body; an unnamed one gets its operation's name. */
function named(name: string, schema: JsonSchema, schemas: SchemaCollector): JsonSchema {
  if (schema['type'] !== 'object') return schema
  schemas.components[name] = schema
  return { $ref: `#/components/schemas/${name}` }
}

const UPLOAD: MediaType = {
  schema: {
    type: 'object',
    required: ['file'],
    properties: {
      file: {
        type: 'string',
        format: 'binary',
        description:
          'The PDF, at most 50 MB, with a file name. Its type is `application/pdf`; `application/octet-stream` or none is accepted when the bytes are a PDF. No other part is allowed.',
      },
    },
  },
  encoding: { file: { contentType: 'application/pdf' } },
}

function securityOf({ audience, method }: Route): Operation['security'] {
  if (audience === 'organisation' || audience === 'organisation upload')
    return [{ clientCredentials: ['org_api'] }, { accessToken: [] }]
  if (audience === 'panel') return [method === 'get' ? { session: [] } : { session: [], csrfToken: [] }]
  return []
}
