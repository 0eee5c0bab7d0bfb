// Serves /docs: rendered and compressed on the first request, with separate style and script because the content security policy forbids inline ones.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Router } from 'express'
import { docsPage } from '../../docs/page.ts'
import { compressedText } from '../response/compressed-text.ts'
import { refuseOtherMethods } from '../middleware/refuse-other-methods.ts'

const FOLDER = fileURLToPath(new URL('../../docs/', import.meta.url))
const FILES = ['docs.css', 'docs.js'] as const

/** `GET /docs`; `publicUrl`: the address that its examples use. */
export function docs(publicUrl: string): Router {
  const router = Router({ caseSensitive: true })
  const page = compressedText('html', () => docsPage(publicUrl))
  router.get('/docs', page)
  for (const file of FILES) {
    const text = compressedText(path.extname(file), () => readFile(path.join(FOLDER, file), 'utf8'))
    router.get(`/docs/${file}`, text)
  }
  for (const path of ['/docs', ...FILES.map((file) => `/docs/${file}`)]) refuseOtherMethods(router, path, ['get'])
  return router
}
