// An operation as a curl command that a reader can paste into a shell.
import { exampleOf } from '../openapi/example.ts'
import { isRecord } from '../openapi/schemas.ts'
import type { OpenApiDocument, Operation, Parameter } from '../openapi/types.ts'

/** The operation with example values, for `BASE_URL` and `ACCESS_TOKEN` in the environment. */
export function curlOf(document: OpenApiDocument, path: string, method: string, operation: Operation): string {
  const { schemas } = document.components
  const parameters = (operation.parameters ?? []).filter((parameter): parameter is Parameter => 'in' in parameter)
  const filled = path.replace(/\{(\w+)\}/g, (_whole, name: string) => `$${snake(name)}`)
  const query = parameters
    .filter(({ in: place, required, schema }) => place === 'query' && (required || schema['examples'] !== undefined))
    .map(({ name, schema }) => `${name}=${encodeURIComponent(String(exampleOf(schema, schemas, name)))}`)
  const url = `"$BASE_URL${filled}${query.length > 0 ? `?${query.join('&')}` : ''}"`
  const options = [method === 'get' ? '' : `-X ${method.toUpperCase()}`, ...securityOptions(operation), ...bodyOptions(operation)]
  return [`curl ${url}`, ...options.filter(Boolean)].join(' \\\n  ')
}

function snake(name: string): string {
  return name === 'id' ? 'ID' : name.replace(/[A-Z]/g, '_$&').toUpperCase()
}

function securityOptions({ security }: Operation): string[] {
  const names = Object.keys(security[0] ?? {})
  return [
    names.includes('clientCredentials') ? '-H "Authorization: Bearer $ACCESS_TOKEN"' : '',
    names.includes('session') ? '-b cookies.txt' : '',
    names.includes('csrfToken') ? '-H "X-CSRF-Token: $CSRF_TOKEN"' : '',
  ]
}

function bodyOptions({ requestBody }: Operation): string[] {
  const [entry] = Object.entries(requestBody?.content ?? {})
  if (!entry) return []
  const [type, { example }] = entry
  if (type === 'multipart/form-data') return ['-F "file=@lease.pdf;type=application/pdf"']
  if (type === 'application/json') return ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(example, null, 2)}'`]
  return Object.entries(isRecord(example) ? example : {}).map(([name, value]) => `-d ${name}=${String(value)}`)
}
