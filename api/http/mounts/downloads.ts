// Serves the file store's presigned URLs. With S3 this path does not exist: URLs point to the store.
import type { Core } from '#core/context.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { databaseNow } from '#core/platform/postgres/clock.ts'
import { downloadHeaders } from '#core/platform/storage/attachment.ts'
import { readDownload } from '#core/platform/storage/presign.ts'
import { StorageError } from '#core/platform/storage/storage-error.ts'
import { type Request, type Response, Router } from 'express'
import { pipeline } from 'node:stream/promises'
import { refuseOtherMethods } from '../middleware/refuse-other-methods.ts'

export const DOWNLOADS_PATH = '/downloads/'

/** GET under `/downloads/`; forged, expired and missing all answer DOWNLOAD_NOT_FOUND. */
export function downloads(core: Core): Router {
  const router = Router({ caseSensitive: true })
  router.get(`${DOWNLOADS_PATH}*key`, (request, response) => serveDownload(core, request, response))
  refuseOtherMethods(router, `${DOWNLOADS_PATH}*key`, ['get'])
  return router
}

async function serveDownload(core: Core, request: Request, response: Response): Promise<void> {
  // The raw target, because the signature covers its exact bytes.
  const keyAndQuery = request.originalUrl.slice(DOWNLOADS_PATH.length)
  const verdict = readDownload(core.keys.presignKeys, keyAndQuery, await databaseNow(core.database))
  if (verdict.verdict !== 'valid') throw new DomainError('DOWNLOAD_NOT_FOUND')
  const { key, fileName, contentType } = verdict.download
  const { stream, length } = await openStored(core, key)
  response.set({ ...downloadHeaders(fileName, contentType), 'Content-Length': String(length) })
  if (request.method === 'HEAD') {
    stream.destroy()
    response.end()
    return
  }
  // A client that disconnects ends the stream, and there is no response to send.
  await pipeline(stream, response).catch((error: unknown) => {
    if (!response.destroyed) throw error
  })
}

async function openStored(core: Core, key: string) {
  try {
    return await core.storage.readStream(key)
  } catch (error) {
    if (error instanceof StorageError && error.reason === 'missing') throw new DomainError('DOWNLOAD_NOT_FOUND', { cause: error })
    throw error
  }
}
