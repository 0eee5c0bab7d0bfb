// Serves /docs: rendered on the first request, with separate style and script because the content security policy forbids inline ones.
import { fileURLToPath } from 'node:url'
import { Router } from 'express'
import { docsPage } from '../../docs/page.ts'
import { refuseOtherMethods } from '../middleware/refuse-other-methods.ts'

const FOLDER = fileURLToPath(new URL('../../docs/', import.meta.url))
const FILES = ['docs.css', 'docs.js'] as const

/** `GET /docs`; `publicUrl`: the address that its examples use. */
export function docs(publicUrl: string): Router {
  const router = Router({ caseSensitive: true })
  let page: string | undefined
  router.get('/docs', (_request, response) => {
    page ??= docsPage(publicUrl)
    response.set('Cache-Control', 'no-cache').type('html').send(page)
  })
  for (const file of FILES) {
    router.get(`/docs/${file}`, (_request, response) => {
      response.sendFile(file, { root: FOLDER, cacheControl: false, headers: { 'Cache-Control': 'no-cache' } })
    })
  }
  for (const path of ['/docs', ...FILES.map((file) => `/docs/${file}`)]) refuseOtherMethods(router, path, ['get'])
  return router
}
