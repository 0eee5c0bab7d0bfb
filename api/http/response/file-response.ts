// Answers that are files: saved under their name and never shown or run in place.
import { downloadHeaders } from '#core/platform/storage/attachment.ts'
import type { Response } from 'express'
import type { MediaType } from './negotiate.ts'

/** What a handler answers instead of a value for JSON. */
export interface FileResponse {
  kind: 'file'
  fileName: string
  contentType: Exclude<MediaType, 'application/json'>
  bytes: Buffer
}

export function isFileResponse(result: unknown): result is FileResponse {
  return typeof result === 'object' && result !== null && 'kind' in result && result.kind === 'file'
}

/** As an attachment. */
export function sendFile(response: Response, { fileName, contentType, bytes }: FileResponse): void {
  response.status(200).set(downloadHeaders(fileName, contentType)).end(bytes)
}
