import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import express from 'express'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pages } from '../../../../../api/http/mounts/pages.ts'
import { serve } from '../../../../../api/serve.ts'
import { freePort } from '../../../../../hack/servers/free-port.ts'

const stack = new AsyncDisposableStack()
let url: string

beforeAll(async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'sealwright-pages-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  for (const name of ['sign', 'verify', 'settings']) await writeFile(path.join(folder, `${name}.html`), `page ${name}`)
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
