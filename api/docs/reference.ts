// Every operation as a section: description, parameters, response, errors and a request to paste.
import type { Answer, OpenApiDocument, Operation, Parameter, Reference } from '../openapi/types.ts'
import { curlOf } from './curl.ts'
import { type FieldRow, rowsOf, toRow } from './fields.ts'
import { type Html, html, trusted } from '#core/platform/text/html.ts'
import { inline } from './markdown.ts'

export interface ReferenceEntry {
  id: string
  method: string
  path: string
  operation: Operation
}

/** The operations of a chapter, in the order of the document. */
export function entriesOf(document: OpenApiDocument, tag: string): ReferenceEntry[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, operation]) => operation.tags.includes(tag))
      .map(([method, operation]) => ({ id: operation.operationId, method, path, operation })),
  )
}

/** The section of one operation; `prefix` keeps the anchors of two documents apart. */
export function operationSection(document: OpenApiDocument, { id, method, path, operation }: ReferenceEntry, prefix = ''): Html {
  const example = exampleAnswer(operation)
  return html`<section class="operation" id="${prefix}${id}">
    <div class="words">
      <h3><a href="#${prefix}${id}">${operation.summary}</a></h3>
      <p class="route"><span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code></p>
      ${operation.description && html`<p>${inline(operation.description)}</p>`}
      <p class="facts"><code>${id}</code> · ${credentialOf(operation)}</p>
      ${parameterTable(document, operation)} ${bodyTable(document, operation)} ${answerTable(document, operation)}
      ${refusalTable(document, operation)}
    </div>
    <div class="code">
      <pre tabindex="0"><code class="shell">${curlOf(document, path, method, operation)}</code></pre>
      ${example !== undefined && html`<pre tabindex="0"><code class="json">${JSON.stringify(example, null, 2)}</code></pre>`}
    </div>
  </section>`
}

/** The events: when each is sent, their common body and headers. */
export function eventSection(document: OpenApiDocument): Html {
  const events = Object.values(document.webhooks ?? {}).flatMap((item) => Object.values(item))
  const [first] = events
  if (!first) return html``
  const example = first.requestBody?.content['application/json']?.example
  return html`<section class="operation" id="events">
    <div class="words">
      <h3><a href="#events">WebhookEvent</a></h3>
      <table>
        <tbody>
          ${Object.keys(document.webhooks ?? {}).map(
            (type, index) =>
              html`<tr>
                <td><code>${type}</code></td>
                <td>${events[index]?.summary}</td>
              </tr>`,
          )}
        </tbody>
      </table>
      ${parameterTable(document, first)} ${bodyTable(document, first)}
    </div>
    <div class="code">
      <pre tabindex="0"><code class="json">${JSON.stringify(example, null, 2)}</code></pre>
    </div>
  </section>`
}

function credentialOf({ security }: Operation): string {
  const [first] = security
  if (!first) return 'no authentication'
  return 'session' in first ? 'panel session' : 'access token'
}

function parameterTable(document: OpenApiDocument, { parameters = [] }: Operation): Html | undefined {
  const rows = parameters
    .map((parameter) => ('$ref' in parameter ? document.components.parameters[nameIn(parameter)] : parameter))
    .filter((parameter): parameter is Parameter => parameter !== undefined)
    .map(({ name, in: place, required, schema, description = '' }) => ({
      ...toRow(name, required, schema, document.components.schemas),
      description: place === 'path' ? description : `${description} (${place})`.trim(),
    }))
  return rows.length > 0 ? fieldTable('Parameters', rows) : undefined
}

function bodyTable(document: OpenApiDocument, { requestBody }: Operation): Html | undefined {
  const [entry] = Object.entries(requestBody?.content ?? {})
  if (!entry) return undefined
  const [type, { schema = {} }] = entry
  return fieldTable(`Body, ${type}${requestBody?.required ? '' : ', optional'}`, rowsOf(schema, document.components.schemas))
}

function answerTable(document: OpenApiDocument, operation: Operation): Html | undefined {
  const [status, answer] = successOf(operation)
  if (!answer?.content) return html`<p class="facts">Returns ${status} without a body.</p>`
  const types = Object.keys(answer.content).join(' or ')
  const rows = rowsOf(answer.content['application/json']?.schema ?? {}, document.components.schemas)
  if (rows.length === 0) return html`<p class="facts">Returns ${status}, ${types}.</p>`
  return html`<details>
    <summary>Response ${status}, ${types}: ${rows.length} fields</summary>
    ${fieldTable('', rows)}
  </details>`
}

function refusalTable(document: OpenApiDocument, { responses }: Operation): Html {
  const refusals = Object.entries(responses).filter(([status]) => status >= '400')
  const rows = refusals.flatMap(([status, answer]) => {
    const codes = 'content' in answer ? Object.keys(answer.content?.['application/json']?.examples ?? {}) : []
    const { description } = '$ref' in answer ? (document.components.responses[nameIn(answer)] ?? { description: '' }) : answer
    if (codes.length === 0)
      return html`<tr>
        <td>${status}</td>
        <td colspan="2">${inline(description)}</td>
      </tr>`
    return codes.map(
      (code) =>
        html`<tr>
          <td>${status}</td>
          <td>
            <a href="#${code}"><code>${code}</code></a>
          </td>
          <td>${document.components.examples[code]?.summary}</td>
        </tr>`,
    )
  })
  return html`<details>
    <summary>Errors: ${[...new Set(refusals.map(([status]) => status))].join(', ')}</summary>
    <table>
      <thead>
        <tr>
          <th>Status</th>
          <th>Code</th>
          <th>Meaning</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </details>`
}

function fieldTable(caption: string, rows: readonly FieldRow[]): Html {
  return html`${caption && html`<h4>${caption}</h4>`}
    <table>
      <tbody>
        ${rows.map(
          ({ name, type, required, limits, description }) =>
            html`<tr>
              <td><code>${breakable(name)}</code>${required && html`<span class="required">required</span>`}</td>
              <td>
                <span class="type">${type}</span
                >${limits && html`<span class="limits">${limits}</span>`}${description && html`<p>${inline(description)}</p>`}
              </td>
            </tr>`,
        )}
      </tbody>
    </table>`
}

/** Lets long dotted names wrap after a dot. */
function breakable(name: string): Html[] {
  return name.split('.').map((part, index) => html`${index > 0 && trusted('.<wbr>')}${part}`)
}

function successOf({ responses }: Operation): [string, Answer | undefined] {
  const [entry] = Object.entries(responses)
  if (!entry) return ['', undefined]
  return [entry[0], '$ref' in entry[1] ? undefined : entry[1]]
}

function exampleAnswer(operation: Operation): unknown {
  return successOf(operation)[1]?.content?.['application/json']?.example
}

function nameIn({ $ref }: Reference): string {
  return $ref.split('/').at(-1) ?? ''
}
