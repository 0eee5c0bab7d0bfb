import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { get, type IncomingHttpHeaders } from 'node:http'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import express from 'express'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pages } from '../../../../../api/http/mounts/pages.ts'
import { serve } from '../../../../../api/serve.ts'
import { freePort } from '../../../../../hack/servers/free-port.ts'

const SCRIPT = 'const a = 1'
const ASSETS = {
  'a.js': SCRIPT,
  'a.js.br': brotliCompressSync(SCRIPT),
  'a.js.gz': gzipSync(SCRIPT),
  'b.woff2': 'a font',
}
const stack = new AsyncDisposableStack()
let url: string

beforeAll(async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'sealwright-pages-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  for (const name of ['sign', 'verify', 'settings']) await writeFile(path.join(folder, `${name}.html`), `page ${name}`)
  await writeFile(path.join(folder, 'sign.html.br'), brotliCompressSync('page sign'))
  await writeFile(path.join(folder, 'sign.html.gz'), gzipSync('page sign'))
  await mkdir(path.join(folder, 'assets'))
  for (const [name, text] of Object.entries(ASSETS)) await writeFile(path.join(folder, 'assets', name), text)
  const app = express().use(pages(folder))
  app.use((_request, response) => void response.status(404).json({ code: 'ROUTE_NOT_FOUND' }))
  const port = await freePort()
  const http = await serve(app, '127.0.0.1', port)
  stack.defer(() => http.close(1_000))
  url = `http://127.0.0.1:${port}`
})
afterAll(() => stack.disposeAsync())

describe('the page', () => {
  test.each([
    ['/sign/abc', 'sign'],
    ['/verify', 'verify'],
    ['/settings', 'settings'],
    ['/settings/', 'settings'],
    ['/settings/setup', 'settings'],
    ['/settings/envelopes/0190a5b2-0000-7000-8000-000000000001?x=1', 'settings'],
    ['/settings/apiary', 'settings'],
  ])('at %s is %s, and never kept by a cache', async (address, page) => {
    const response = await fetch(url + address)
    expect(await response.text()).toBe(`page ${page}`)
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  test.each([
    '/settings/api',
    '/settings/api/',
    '/settings/api/nothing',
    '/settings/oidc',
    '/settings/oidc/callback',
    '/settingsx',
  ])('is not what programs find at %s', async (address) => {
    const response = await fetch(url + address)
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({ code: 'ROUTE_NOT_FOUND' })
  })
})

describe('the build’s compressed files', () => {
  const ask = async (address: string, encodings: string) => {
    const headers = encodings === '' ? undefined : { 'Accept-Encoding': encodings }
    const response = await rawGet(url + address, headers)
    const { 'content-encoding': encoding = 'none', vary = 'none', 'content-type': type } = response.headers
    return { encoding, vary, type, etag: response.headers.etag, cache: response.headers['cache-control'], body: response.body }
  }

  test.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['*', 'br'],
    ['identity', 'none'],
    ['br;q=0, gzip;q=0', 'none'],
    ['', 'none'],
  ])('are sent by Accept-Encoding %j: %s', async (encodings, encoding) => {
    const script = await ask('/assets/a.js', encodings)
    expect(script).toMatchObject({ encoding, vary: 'Accept-Encoding', type: 'text/javascript; charset=utf-8' })
    expect(script.cache).toBe('public, max-age=31536000, immutable')
    expect(unpack(script).toString()).toBe(SCRIPT)
    const page = await ask('/sign/abc', encodings)
    expect(page).toMatchObject({ encoding, vary: 'Accept-Encoding', type: 'text/html; charset=utf-8', cache: 'no-store' })
    expect(unpack(page).toString()).toBe('page sign')
  })

  test('have their own ETags', async () => {
    const tags = await Promise.all(
      ['br', 'gzip', 'identity'].map(async (encodings) => (await ask('/assets/a.js', encodings)).etag),
    )
    expect(new Set(tags).size).toBe(3)
  })

  test('do not exist for fonts', async () => {
    expect(await ask('/assets/b.woff2', 'br')).toMatchObject({ encoding: 'none', vary: 'none' })
  })
})

function unpack({ encoding, body }: { encoding: string; body: Buffer }): Buffer {
  if (encoding === 'br') return brotliDecompressSync(body)
  return encoding === 'gzip' ? gunzipSync(body) : body
}

/** `fetch` decompresses and always sends Accept-Encoding. */
function rawGet(address: string, headers: Record<string, string> = {}): Promise<{ headers: IncomingHttpHeaders; body: Buffer }> {
  return new Promise((resolve, reject) => {
    get(address, { headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve({ headers: response.headers, body: Buffer.concat(chunks) }))
    }).once('error', reject)
  })
}
