import { expect, test } from 'vitest'
import { docsPage } from '../../api/docs/page.ts'
import { describeApi, describePanel } from '../../api/openapi/document.ts'
import { ERRORS } from '#core/platform/errors/codes.ts'

const CODES = Object.keys(ERRORS)
/** Codes of no operation: unknown paths and methods, and missing files. */
const WITHOUT_OPERATION = ['DOWNLOAD_NOT_FOUND', 'HOST_NOT_ALLOWED', 'METHOD_NOT_ALLOWED', 'ROUTE_NOT_FOUND']

const documents = [describeApi(), describePanel()]
const page = docsPage('http://127.0.0.1:8080')

test('every code of the catalogue occurs in an operation, and no other', () => {
  const onOperations = documents.flatMap(({ paths }) =>
    [...JSON.stringify(paths).matchAll(/"#\/components\/examples\/(\w+)"/g)].map(([, code]) => code),
  )
  expect(new Set(onOperations)).toEqual(new Set(CODES.filter((code) => !WITHOUT_OPERATION.includes(code))))
})

test('the introduction explains codes of no operation', () => {
  for (const code of WITHOUT_OPERATION) expect(documents[0]!.info.description).toContain(`\`${code}\``)
})

test("every code has a row in the page's catalogue, and every row has a code", () => {
  const rows = [...page.matchAll(/<tr id="([A-Z_]+)">/g)].map(([, code]) => code)
  expect(new Set(rows)).toEqual(new Set([...CODES, 'INTERNAL_ERROR']))
})

test('the page mentions no unknown code', () => {
  const mentioned = [...page.matchAll(/<code>([A-Z]+(?:_[A-Z]+)+)<\/code>/g)].map(([, word]) => word!)
  const others = new Set([
    ...CODES,
    'INTERNAL_ERROR',
    'IN_PROGRESS',
    'CLIENT_ID',
    'CLIENT_SECRET',
    'BASE_URL',
    'ACCESS_TOKEN',
    'FORM_FIELDS_LOCKED',
    'SCRIPTS_DROPPED',
    'PRINT_FLAGS_SET',
    'SHOWN_NOT_PRINTED',
    'SEAL_OVERLAPS_TEXT',
    'WHOLE_FILE',
    'EARLIER_REVISION',
    'NOT_PERMITTED',
    ...QUOTAS,
  ])
  expect([...new Set(mentioned)].filter((word) => !others.has(word))).toEqual([])
})

const QUOTAS = ['STORAGE_BYTES', 'ENVELOPES_SENT_PER_DAY', 'OPEN_ENVELOPES', 'EMAILS_PER_HOUR', 'API_REQUESTS_PER_MINUTE']
