// Serves the built pages: one HTML file for each path, hashed assets that never change.
import path from 'node:path'
import { refuseMethod } from '../middleware/refuse-other-methods.ts'
import express, { type Response, Router } from 'express'

const PAGE_OF_PATH = { '/sign/:token': 'sign.html', '/verify': 'verify.html', '/settings{/*place}': 'settings.html' } as const
/** Below the panel's address, but for programs: what is not there is not there, and no page says otherwise. */
const PANEL_INTERFACE = /^\/settings\/(api|oidc)(\/|$)/

/** `folder`: the pages as built. */
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
  // The HTML names the assets of its build: it must never come from a cache.
  response.sendFile(file, { cacheControl: false, headers: { 'Cache-Control': 'no-store' } }, (error) => error && next(error))
}
