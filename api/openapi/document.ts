// The OpenAPI documents, generated from the routes, so that no route can be missing. Committed as openapi.json and settings.json, so that a
// change of the interface shows in review.
import { API_VERSION } from '#core/event/payload.ts'
import type { Route } from '../http/define-route.ts'
import { PANEL_ROUTES, ROUTES } from '../routes/index.ts'
import { ErrorResponse } from '../schemas/error.ts'
import { describeOperation, templateOf } from './operation.ts'
import { collectSchemas, type SchemaCollector } from './schemas.ts'
import { apiSecurity, panelSecurity } from './security.ts'
import { servicePaths } from './service-paths.ts'
import { sharedComponents } from './shared.ts'
import { tagsOf } from './tags.ts'
import type { JsonSchema, OpenApiDocument } from './types.ts'
import { describeWebhooks, EVENTS } from './webhooks.ts'

/** The API for programs, signers and verifiers, served at `/openapi.json`. `baseUrl`: the address of this installation, if known. */
export function describeApi(baseUrl = '/'): OpenApiDocument {
  const schemas = collectSchemas()
  const paths = { ...servicePaths(schemas), ...describeRoutes(ROUTES, schemas) }
  const api = frame('Sealwright API', API_INTRODUCTION, baseUrl, paths)
  return {
    ...api,
    tags: [...api.tags, EVENTS],
    webhooks: describeWebhooks(schemas),
    components: componentsOf(schemas, paths, apiSecurity(baseUrl)),
  }
}

/** The API of the settings panel, served at `/settings/api/openapi.json`. */
export function describePanel(baseUrl = '/'): OpenApiDocument {
  const schemas = collectSchemas()
  const paths = describeRoutes(PANEL_ROUTES, schemas)
  return {
    ...frame('Sealwright settings panel', PANEL_INTRODUCTION, baseUrl, paths),
    components: componentsOf(schemas, paths, panelSecurity(baseUrl)),
  }
}

function describeRoutes(routes: readonly Route[], schemas: SchemaCollector): OpenApiDocument['paths'] {
  const paths: OpenApiDocument['paths'] = {}
  for (const route of routes) {
    const path = templateOf(route.path)
    paths[path] = { ...paths[path], [route.method]: describeOperation(route, schemas) }
  }
  return paths
}

function frame(title: string, description: string, baseUrl: string, paths: OpenApiDocument['paths']) {
  return {
    openapi: '3.1.1',
    info: { title, version: API_VERSION, description },
    servers: [{ url: baseUrl }],
    tags: tagsOf(Object.keys(paths)),
    paths,
  }
}

function componentsOf(
  schemas: SchemaCollector,
  paths: OpenApiDocument['paths'],
  securitySchemes: Record<string, JsonSchema>,
): OpenApiDocument['components'] {
  schemas.use(ErrorResponse)
  const sorted = Object.entries(schemas.components).toSorted(([left], [right]) => (left < right ? -1 : 1))
  return { schemas: Object.fromEntries(sorted), ...sharedComponents(paths), securitySchemes }
}

const API_INTRODUCTION = `Electronic signatures on PDF documents: upload, create an envelope, send it, follow it, fetch the sealed copies.

Every response has the header \`X-Request-Id\`. Unknown JSON members and query parameters are ignored. These errors can occur everywhere:

- 404 \`ROUTE_NOT_FOUND\`: unknown path.
- 405 \`METHOD_NOT_ALLOWED\`: wrong method; \`Allow\` lists the right ones.
- 406 \`NOT_ACCEPTABLE\`: the \`Accept\` header does not allow JSON.
- 421 \`HOST_NOT_ALLOWED\`: the \`Host\` header names none of this service's host names.
- 404 \`DOWNLOAD_NOT_FOUND\`: a presigned URL is invalid or has expired, or its file was deleted.

New members, error codes and operations may be added within a version. Clients must ignore what they do not know.`

const PANEL_INTRODUCTION = `The API of the settings panel at /settings. It authenticates by session cookie. Every change also needs the header \`X-CSRF-Token\` with the
\`csrfToken\` that signing in returned. Without a session, the answer is 401 without a body. The session determines the organisation.`
