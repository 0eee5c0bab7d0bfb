// Answers that are files: chosen by the request's Accept, saved under their name and never shown or run in place.
import { DomainError } from '#core/errors/domain-error.ts'
import { downloadHeaders } from '#core/storage/attachment.ts'
import type { Request, Response } from 'express'

export type MediaType = 'application/json' | 'application/pdf' | 'application/pem-certificate-chain'

/** What a handler answers instead of a value for JSON. */
export interface FileAnswer {
  kind: 'file'
  fileName: string
  contentType: Exclude<MediaType, 'application/json'>
  bytes: Buffer
}

/** The type to answer in: of `produces`, the one that the request likes best, else the first. Throws NOT_ACCEPTABLE.
 *  Without `produces` it is JSON whatever the request accepts. */
export function acceptedType(produces: readonly MediaType[] | undefined, request: Request, response: Response): MediaType {
  if (!produces) return 'application/json'
  response.vary('Accept')
  const accepted = request.accepts([...produces])
  const type = produces.find((each) => each === accepted)
  if (!type) throw new DomainError('NOT_ACCEPTABLE', { message: `This path answers in ${produces.join(' or ')}.` })
  return type
}

export function isFileAnswer(result: unknown): result is FileAnswer {
  return typeof result === 'object' && result !== null && 'kind' in result && result.kind === 'file'
}

/** As an attachment. */
export function sendFile(response: Response, { fileName, contentType, bytes }: FileAnswer): void {
  response.status(200).set(downloadHeaders(fileName, contentType)).end(bytes)
}
