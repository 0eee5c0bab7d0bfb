import { describe, expect, test } from 'vitest'
import { curlOf } from '../../../../api/docs/curl.ts'
import { rowsOf } from '../../../../api/docs/fields.ts'
import { slug } from '../../../../api/docs/slug.ts'
import { describeApi } from '../../../../api/openapi/document.ts'

test('titles make anchors', () => {
  expect(slug('Links, codes, signing')).toBe('links-codes-signing')
})

describe('rowsOf', () => {
  const rows = rowsOf({ $ref: '#/components/schemas/CreateEnvelopeRequest' }, describeApi().components.schemas)
  const row = (name: string) => rows.find((each) => each.name === name)

  test('names what lies deeper with dots, and lists with brackets', () => {
    expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(['title', 'signers', 'signers[].email', 'labels']))
  })

  test('says types and limits in words', () => {
    expect(row('title')).toMatchObject({ type: 'string', limits: '1 to 255 characters', required: true })
    expect(row('linkTtlHours')).toMatchObject({ type: 'int32 or null', limits: '1 to 2,160', required: false })
    expect(row('documentIds')).toMatchObject({ type: 'list of uuid or null', limits: 'at most 20 entries' })
    expect(row('labels')).toMatchObject({ type: 'object of string or null', limits: 'at most 50 pairs' })
  })
})

describe('curlOf', () => {
  const document = describeApi()
  const curl = (path: string, method: string) => curlOf(document, path, method, document.paths[path]![method]!)

  test('shows the whole request to paste', () => {
    expect(curl('/api/v1/envelopes/{id}/cancel', 'post')).toBe(
      'curl "$BASE_URL/api/v1/envelopes/$ID/cancel" \\\n  -X POST \\\n  -H "Authorization: Bearer $ACCESS_TOKEN"',
    )
    expect(curl('/api/v1/documents', 'post')).toContain('-F "file=@lease.pdf;type=application/pdf"')
    expect(curl('/oauth2/token', 'post')).toContain('-d grant_type=client_credentials')
  })

  test('asks for no token where none is due', () => {
    expect(curl('/api/v1/sign/{token}', 'get')).toBe('curl "$BASE_URL/api/v1/sign/$TOKEN"')
  })
})
