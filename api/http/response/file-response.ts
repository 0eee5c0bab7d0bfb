// Responses that are files: always downloads, never shown or run in the browser.
import { downloadHeaders } from '#core/platform/storage/attachment.ts'
import type { Response } from 'express'
import type { MediaType } from './negotiate.ts'

/** A handler's result that is a file instead of JSON. */
export interface FileResponse {
  kind: 'file'
  fileName: string
  contentType: Exclude<MediaType, 'application/json'>
  bytes: Buffer
}

export function isFileResponse(result: unknown): result is FileResponse {
  return typeof result === 'object' && result !== null && 'kind' in result && result.kind === 'file'
}

/** Sends it as an attachment. */
export function sendFile(response: Response, { fileName, contentType, bytes }: FileResponse): void {
  response.status(200).set(downloadHeaders(fileName, contentType)).end(bytes)
}
