// Checks every response of a service under test against the API description: status, code and a body of exactly the declared shape.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import { describeApi, describePanel } from '../../../api/openapi/document.ts'
import type { Answer, MediaType, OpenApiDocument, PathItem, Reference } from '../../../api/openapi/types.ts'

export interface AnswerChecker {
  /** Records every response of the listener. */
  watch(listener: RequestListener): RequestListener
  /** The undescribed responses, without duplicates. */
  faults(): string[]
}

interface KnownPath {
  template: string
  pattern: RegExp
  operations: PathItem
  document: Described
}

interface Described {
  document: OpenApiDocument
  validatorOf: (schema: object) => ValidateFunction
}

const described = [describe(describeApi()), describe(describePanel())]
const paths = described.flatMap((each) => knownPaths(each)).toSorted((left, right) => rank(left) - rank(right))

export function checkAnswers(): AnswerChecker {
  const faults = new Set<string>()
  return {
    watch: (listener) => (request, response) => {
      const body = collectBody(response)
      response.once('finish', () => {
        const path = request.url?.split('?', 1)[0] ?? ''
        const known = paths.find(({ pattern }) => pattern.test(path))
        if (!known) return
        for (const fault of faultsOf(known, request, response, body())) {
          faults.add(`${request.method} ${known.template} answered ${response.statusCode}: ${fault}`)
        }
      })
      listener(request, response)
    },
    faults: () => [...faults],
  }
}

function collectBody(response: ServerResponse): () => string {
  const chunks: Buffer[] = []
  const keep = (chunk: unknown) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk as string))
  }
  const write = response.write.bind(response)
  const end = response.end.bind(response)
  response.write = (...args: unknown[]) => {
    keep(args[0])
    return Reflect.apply(write, response, args)
  }
  response.end = (...args: unknown[]) => {
    keep(args[0])
    return Reflect.apply(end, response, args)
  }
  return () => Buffer.concat(chunks).toString('utf8')
}

function* faultsOf(known: KnownPath, request: IncomingMessage, response: ServerResponse, body: string): Generator<string> {
  const method = request.method?.toLowerCase() ?? ''
  const operation = known.operations[method === 'head' ? 'get' : method]
  if (!operation) {
    if (response.statusCode !== 405 || !response.hasHeader('allow')) yield 'a method that is not described must be 405 with Allow'
    return
  }
  const answer = resolve(known.document.document, operation.responses[response.statusCode])
  if (!answer) {
    yield `the status is not declared (${codeOf(body)})`
    return
  }
  yield* headerFaults(response)
  if (method !== 'head') yield* bodyFaults(known.document, answer, response, body)
}

function* headerFaults(response: ServerResponse): Generator<string> {
  const retried = response.statusCode === 429 || response.statusCode === 503
  const isProbe = response.req.url?.startsWith('/readyz')
  if (retried && !isProbe && !response.hasHeader('retry-after')) yield 'Retry-After is missing'
  if (!response.hasHeader('x-request-id')) yield 'X-Request-Id is missing'
}

function* bodyFaults({ validatorOf }: Described, answer: Answer, response: ServerResponse, body: string): Generator<string> {
  const status = response.statusCode
  if (body === '') {
    if (answer.content && !mayLackBody(status)) yield 'the declared body is missing'
    return
  }
  const type = String(response.getHeader('content-type')).split(';', 1)[0] ?? ''
  const media = answer.content?.[type]
  if (!media) yield `a body of ${type} is not declared`
  else if (type === 'application/json' && media.schema) yield* jsonFaults(validatorOf(media.schema), media, status, body)
}

function* jsonFaults(validate: ValidateFunction, media: MediaType, status: number, body: string): Generator<string> {
  if (!validate(JSON.parse(body))) {
    yield JSON.stringify(validate.errors?.map(({ instancePath, message, params }) => ({ instancePath, message, params })))
  }
  const code = codeOf(body)
  if (status >= 400 && code && code !== 'INTERNAL_ERROR' && !media.examples?.[code]) yield `the code ${code} is not declared`
}

/** The security layer may answer without a body, also where another error of the same status has one. */
function mayLackBody(status: number): boolean {
  return status === 401 || status === 403
}

function codeOf(body: string): string | undefined {
  return /"code":"([A-Z_]+)"/.exec(body)?.[1]
}

function resolve(document: OpenApiDocument, answer: Answer | Reference | undefined): Answer | undefined {
  if (!answer || !('$ref' in answer)) return answer
  return document.components.responses[answer.$ref.split('/').at(-1) ?? '']
}

function describe(document: OpenApiDocument): Described {
  const ajv = new Ajv2020({ allErrors: true, strict: false, formats: { int32: true, int64: true, binary: true } })
  ajvFormats.default(ajv)
  ajv.addSchema({ $id: 'api', ...closed({ components: { schemas: document.components.schemas } }) })
  const validators = new WeakMap<object, ValidateFunction>()
  return {
    document,
    validatorOf(schema) {
      const known = validators.get(schema) ?? ajv.compile(withRoot(closed(schema)))
      validators.set(schema, known)
      return known
    },
  }
}

/** Clients must tolerate new members; tests must not. */
function closed(schema: object): object {
  const members = Object.entries(schema).map(([name, part]) => [name, closePart(part)] as const)
  const isObject = 'properties' in schema && !('additionalProperties' in schema)
  return { ...Object.fromEntries(members), ...(isObject && { additionalProperties: false }) }
}

function closePart(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(closePart)
  return typeof part === 'object' && part !== null ? closed(part) : part
}

function withRoot(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"api#/components/'))
}

function knownPaths(document: Described): KnownPath[] {
  return Object.entries(document.document.paths).map(([template, operations]) => ({
    template,
    pattern: new RegExp(`^${template.replaceAll('.', String.raw`\.`).replace(/\{\w+\}/g, '[^/]+')}/?$`),
    operations,
    document,
  }))
}

/** A literal path takes precedence over one with parameters. */
function rank({ template }: KnownPath): number {
  return template.split('{').length
}
