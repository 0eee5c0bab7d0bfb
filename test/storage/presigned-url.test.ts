import { createHash, randomUUID } from 'node:crypto'
import { parse } from 'content-disposition'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestStore, STORES } from '../support/servers/object-stores.ts'

const bytes = Buffer.from('%PDF-1.7 contents')

async function isRefused(url: string): Promise<boolean> {
  const response = await fetch(url)
  expect(await response.text(), url).not.toContain('contents')
  return response.status >= 400 && response.status < 500
}

describe.each(STORES)('a presigned URL of the $name', (kind) => {
  let opened: TestStore
  let key: string
  beforeAll(async () => {
    opened = await kind.open()
    key = await stored(bytes)
  })
  afterAll(() => opened.close())

  async function stored(content: Buffer): Promise<string> {
    const newKey = `documents/${randomUUID()}/original`
    await opened.store.put(newKey, content, {
      contentType: 'application/pdf',
      sha256: createHash('sha256').update(content).digest(),
    })
    return newKey
  }
  const presign = (options: { fileName?: string; ageSeconds?: number } = {}) =>
    opened.store.presignGet(key, {
      fileName: options.fileName ?? 'contract.pdf',
      contentType: 'application/pdf',
      expiresInSeconds: 3600,
      now: new Date(Date.now() - (options.ageSeconds ?? 0) * 1000),
    })

  // rows: decisions/documents/presigned URL
  test('returns the object as an attachment of a fixed type that is not cached', async () => {
    const response = await fetch(await presign())
    expect(response.status).toBe(200)
    expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes)
    expect(response.headers.get('content-type')).toBe('application/pdf')
    expect(response.headers.get('content-disposition')).toBe('attachment; filename=contract.pdf')
    expect(response.headers.get('cache-control')).toBe('private, no-store')
  })

  test('is valid for its lifetime and not longer', async () => {
    expect((await fetch(await presign({ ageSeconds: 3590 }))).status).toBe(200)
    expect(await isRefused(await presign({ ageSeconds: 3601 }))).toBe(true)
  })

  test('is valid for this object, name, type and time only', async () => {
    const url = new URL(await presign())
    for (const name of url.searchParams.keys()) {
      const changed = new URL(url)
      const value = changed.searchParams.get(name) ?? ''
      changed.searchParams.set(name, value.endsWith('0') ? `${value.slice(0, -1)}1` : `${value.slice(0, -1)}0`)
      expect(await isRefused(changed.href), `changed ${name}`).toBe(true)
    }
    const other = await stored(Buffer.from('other contents'))
    expect(await isRefused(url.href.replace(key, other)), 'other object').toBe(true)
  })

  test('rejects an added, repeated or removed parameter', async () => {
    const url = await presign()
    for (const extra of ['x=1', 'name=evil.html', 'response-content-type=text/html', 'x=1#', 'download']) {
      expect(await isRefused(`${url}&${extra}`), `added ${extra}`).toBe(true)
      expect(await isRefused(url.replace('?', `?${extra.replace('#', '')}&`)), `put first: ${extra}`).toBe(true)
    }
    const [path, query = ''] = url.split('?')
    const parameters = query.split('&')
    for (const parameter of parameters) {
      expect(
        await isRefused(`${path}?${parameters.filter((other) => other !== parameter).join('&')}`),
        `without ${parameter}`,
      ).toBe(true)
      // S3 servers differ in the signature's own parameters: one may accept a repeated value.
      if (!parameter.startsWith('X-Amz-')) expect(await isRefused(`${url}&${parameter}`), `twice ${parameter}`).toBe(true)
    }
  })

  test.each([
    ['a line break', 'a\r\nSet-Cookie: x=1\r\n\r\n<html>.pdf', 'a Set-Cookie: x=1 <html>.pdf'],
    ['quotes', 'say "yes"; filename=evil.exe', 'say "yes"; filename=evil.exe'],
    ['percent signs', '100%20off%0d%0a.pdf', '100%20off%0d%0a.pdf'],
    ['letters of all kinds', 'Übergabe – договор 合同 ✍️.pdf', 'Übergabe – договор 合同 ✍️.pdf'],
    ['decomposed letters', 'U\u0308bergabe.pdf', 'Übergabe.pdf'],
    ['right-to-left letters', 'חוזה.pdf', 'חוזה.pdf'],
    ['a direction override', 'invoice\u202Efdp.exe', 'invoicefdp.exe'],
    ['a path', '../../etc/passwd', '.._.._etc_passwd'],
    ['a Windows path', 'C:\\temp\\a.pdf', 'C:_temp_a.pdf'],
    ['a null character', 'a\0b.pdf', 'ab.pdf'],
    ['half a character', 'a\uD800b.pdf', 'a\uFFFDb.pdf'],
    ['255 bytes', `${'é'.repeat(125)}a.pdf`, `${'é'.repeat(125)}a.pdf`],
    ['nothing', '', 'document'],
    ['dots', '..', 'document'],
    ['an asterisk and a plus', 'a*b+c&d=e?f#g.pdf', 'a*b+c&d=e?f#g.pdf'],
  ])('has a valid file name when the name contains %s', async (_, fileName, shown) => {
    const response = await fetch(await presign({ fileName }))
    expect(response.status).toBe(200)
    const { type, parameters } = parse(response.headers.get('content-disposition') ?? '')
    expect(type).toBe('attachment')
    expect(parameters['filename']).toBe(shown)
    expect(response.headers.get('set-cookie')).toBeNull()
    expect(await response.text()).toBe(bytes.toString())
  })
})
