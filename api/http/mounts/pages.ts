// Serves the built pages: one HTML file per path, and hashed assets that never change; both as the build has compressed them.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { refuseMethod } from '../middleware/refuse-other-methods.ts'
import { chooseEncoding } from '../response/content-encoding.ts'
import express, { type NextFunction, type Request, type Response, Router } from 'express'

const PAGE_OF_PATH = { '/sign/:token': 'sign.html', '/verify': 'verify.html', '/settings{/*place}': 'settings.html' } as const
/** Paths below the panel that programs call: an unknown one must be a 404, not a page. */
const PANEL_INTERFACE = /^\/settings\/(api|oidc)(\/|$)/

/** `folder`: the built pages. */
export function pages(folder: string): Router {
  const router = Router({ caseSensitive: true })
  const files = builtFiles(folder)
  router.use('/assets', (request, response, next) => {
    if (request.method === 'GET' || request.method === 'HEAD') chooseAsset(files, request, response)
    next()
  })
  router.use('/assets', express.static(path.join(folder, 'assets'), { immutable: true, maxAge: '1y', index: false }))
  for (const [route, file] of Object.entries(PAGE_OF_PATH)) {
    router.get(route, (request, response, next) => {
      if (PANEL_INTERFACE.test(request.path)) next()
      else sendPage(folder, files, file, { request, response, next })
    })
    router.all(route, (request, response, next) => {
      if (PANEL_INTERFACE.test(request.path)) next()
      else refuseMethod(response, ['get'])
    })
  }
  return router
}

/** Relative to the folder, with slashes; none before the first build. */
function builtFiles(folder: string): ReadonlySet<string> {
  try {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    return new Set(names.map((name) => name.replaceAll(path.sep, '/')))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return new Set()
    throw error
  }
}

/** Directs the request to the compressed file. The type is that of the original. */
function chooseAsset(files: ReadonlySet<string>, request: Request, response: Response): void {
  const name = `assets${request.path}`
  if (!files.has(`${name}.br`)) return
  const encoding = chooseEncoding(request, response, ({ suffix }) => files.has(name + suffix))
  if (!encoding) return
  response.type(path.extname(name))
  request.url = request.path + encoding.suffix
}

interface Exchange {
  request: Request
  response: Response
  next: NextFunction
}

function sendPage(folder: string, files: ReadonlySet<string>, name: string, { request, response, next }: Exchange): void {
  const encoding = chooseEncoding(request, response, ({ suffix }) => files.has(name + suffix))
  // The HTML names the assets of its build, so it must not be cached.
  response.type('html')
  const file = path.join(folder, name + (encoding?.suffix ?? ''))
  response.sendFile(file, { cacheControl: false, headers: { 'Cache-Control': 'no-store' } }, (error) => {
    if (!error) return
    if (!response.headersSent) response.removeHeader('Content-Encoding')
    next(error)
  })
}
