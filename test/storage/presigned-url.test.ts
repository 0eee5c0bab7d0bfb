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

  // requirements: decisions/documents/presigned URL
  test('gives the object as an attachment of a fixed type that no cache keeps', async () => {
    const response = await fetch(await presign())
    expect(response.status).toBe(200)
    expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes)
    expect(response.headers.get('content-type')).toBe('application/pdf')
    expect(response.headers.get('content-disposition')).toBe('attachment; filename=contract.pdf')
    expect(response.headers.get('cache-control')).toBe('private, no-store')
  })

  test('holds for its lifetime and not longer', async () => {
    expect((await fetch(await presign({ ageSeconds: 3590 }))).status).toBe(200)
    expect(await isRefused(await presign({ ageSeconds: 3601 }))).toBe(true)
  })

  test('stands for this object, name, type and time alone', async () => {
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

  test('refuses a parameter that is added, repeated or taken away', async () => {
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
      // How it was signed is S3's own affair: a server may take the same value twice.
      if (!parameter.startsWith('X-Amz-')) expect(await isRefused(`${url}&${parameter}`), `twice ${parameter}`).toBe(true)
    }
  })

  test.each([
    ['a line break', 'a\r\nSet-Cookie: x=1\r\n\r\n<html>.pdf', 'a Set-Cookie: x=1 <html>.pdf'],
    ['quotes', 'say "yes"; filename=evil.exe', 'say "yes"; filename=evil.exe.pdf'],
    ['percent signs', '100%20off%0d%0a.pdf', '100%20off%0d%0a.pdf'],
    ['letters of all kinds', 'Übergabe – договор 合同 ✍️.pdf', 'Übergabe – договор 合同 ✍.pdf'],
    ['decomposed letters', 'U\u0308bergabe.pdf', 'Übergabe.pdf'],
    ['right-to-left letters', 'חוזה.pdf', 'חוזה.pdf'],
    ['a direction override', 'invoice\u202Efdp.exe', 'invoicefdp.exe.pdf'],
    ['a path', '../../etc/passwd', '.._.._etc_passwd.pdf'],
    ['a Windows path', 'C:\\temp\\a.pdf', 'C:_temp_a.pdf'],
    ['a null character', 'a\0b.pdf', 'ab.pdf'],
    ['half a character', 'a\uD800b.pdf', 'a\uFFFDb.pdf'],
    ['255 bytes', `${'é'.repeat(125)}a.pdf`, `${'é'.repeat(125)}a.pdf`],
    ['nothing', '', 'document.pdf'],
    ['dots', '..', 'document.pdf'],
    ['an asterisk and a plus', 'a*b+c&d=e?f#g.pdf', 'a*b+c&d=e?f#g.pdf'],
  ])('names the file well when the name holds %s', async (_, fileName, shown) => {
    const response = await fetch(await presign({ fileName }))
    expect(response.status).toBe(200)
    const { type, parameters } = parse(response.headers.get('content-disposition') ?? '')
    expect(type).toBe('attachment')
    expect(parameters['filename']).toBe(shown)
    expect(response.headers.get('set-cookie')).toBeNull()
    expect(await response.text()).toBe(bytes.toString())
  })
})
