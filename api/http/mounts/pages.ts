// Serves the built pages: one HTML file per path, and hashed assets that never change.
import path from 'node:path'
import { refuseMethod } from '../middleware/refuse-other-methods.ts'
import express, { type Response, Router } from 'express'

const PAGE_OF_PATH = { '/sign/:token': 'sign.html', '/verify': 'verify.html', '/settings{/*place}': 'settings.html' } as const
/** Paths below the panel that programs call: an unknown one must be a 404, not a page. */
const PANEL_INTERFACE = /^\/settings\/(api|oidc)(\/|$)/

/** `folder`: the built pages. */
export function pages(folder: string): Router {
  const router = Router({ caseSensitive: true })
  router.use('/assets', express.static(path.join(folder, 'assets'), { immutable: true, maxAge: '1y', index: false }))
  for (const [route, file] of Object.entries(PAGE_OF_PATH)) {
    router.get(route, (request, response, next) => {
      if (PANEL_INTERFACE.test(request.path)) next()
      else sendPage(response, path.join(folder, file), next)
    })
    router.all(route, (request, response, next) => {
      if (PANEL_INTERFACE.test(request.path)) next()
      else refuseMethod(response, ['get'])
    })
  }
  return router
}

function sendPage(response: Response, file: string, next: (error?: unknown) => void): void {
  // The HTML names the assets of its build, so it must not be cached.
  response.sendFile(file, { cacheControl: false, headers: { 'Cache-Control': 'no-store' } }, (error) => error && next(error))
}
