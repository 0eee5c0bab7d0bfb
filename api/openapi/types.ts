// The parts of an OpenAPI 3.1 document that we write, named as in the specification.
export type JsonSchema = { [keyword: string]: unknown }

export interface Reference {
  $ref: string
}

export interface MediaType {
  /** Absent for the bytes of a file. */
  schema?: JsonSchema
  example?: unknown
  examples?: Record<string, Reference | { summary?: string; value: unknown }>
  encoding?: Record<string, { contentType: string }>
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  /** Allowed in queries only. */
  allowEmptyValue?: true
  schema: JsonSchema
}

export interface Link {
  operationId: string
  description: string
  parameters: Record<string, string>
}

export interface Answer {
  description: string
  headers?: Record<string, Reference>
  content?: Record<string, MediaType>
  links?: Record<string, Link>
}

export interface Operation {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  security: Record<string, string[]>[]
  parameters?: (Parameter | Reference)[]
  requestBody?: { required: boolean; content: Record<string, MediaType> }
  responses: Record<string, Answer | Reference>
}

export type PathItem = { [method: string]: Operation }

export interface OpenApiDocument {
  openapi: string
  info: { title: string; version: string; description: string; license?: { name: string; url?: string } }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, PathItem>
  webhooks?: Record<string, PathItem>
  components: {
    schemas: Record<string, JsonSchema>
    responses: Record<string, Answer>
    examples: Record<string, { summary: string; value: unknown }>
    headers: Record<string, { description: string; schema: JsonSchema }>
    parameters: Record<string, Parameter>
    securitySchemes: Record<string, JsonSchema>
  }
}
