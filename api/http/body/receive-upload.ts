// Streams one multipart part named `file` to local disk and hashes it, so that memory use stays constant and the event loop free. An upload ends
// where the body first differs from what it has to be: the rest is not read.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { Dicer } from '@fastify/busboy'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import type { ReceivedFile } from '#core/envelope/document/store-upload.ts'
import { BodyLimitError, readWithin } from '#core/platform/http/read-within.ts'
import { describingErrors } from '#core/platform/storage/files/file-errors.ts'
import type { Request, Response } from 'express'
import { checkFilename } from './check-filename.ts'
import { type HeaderFields, readPartHeader, readValue } from './part-header.ts'
import { documentTooLarge, writePart, type WrittenPart } from './write-part.ts'

export interface UploadLimits {
  /** Folder for the file during inspection and storage. */
  spoolDir: string
  maxBytes: number
  maxSeconds: number
}

/** For what surrounds the file: boundaries, the part's header, text before and after. */
const MAX_FRAME_BYTES = 64 * 1024
const MAX_HEADER_FIELDS = 20
/** An undeclared or unspecific type is accepted: the inspection recognises a PDF by its bytes. */
const ACCEPTED_TYPES: ReadonlySet<string | undefined> = new Set(['application/pdf', 'application/octet-stream', undefined])
const MEDIA_TYPE = /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/

/**
 * The received file; disposing deletes it from disk. Throws VALIDATION_FAILED for another shape of body or one that takes too long,
 * UNSUPPORTED_CONTENT_TYPE for another type, DOCUMENT_TOO_LARGE above the limit, and StorageError when the disk fails.
 */
export async function receiveUpload(
  request: Request,
  response: Response,
  { spoolDir, maxBytes, maxSeconds }: UploadLimits,
): Promise<ReceivedFile & AsyncDisposable> {
  const filePath = path.join(spoolDir, `${randomUUID()}.pdf`)
  const dispose = () => rm(filePath, { force: true })
  const limits = { maxBytes: maxBytes + MAX_FRAME_BYTES, maxSeconds }
  const write = (stream: Readable) => describingErrors(() => writePart(stream, filePath, maxBytes))
  try {
    const received = await readWithin(request, response, limits, (exceeded) => receive(request, write, exceeded))
    return { ...received, path: filePath, [Symbol.asyncDispose]: dispose }
  } catch (error) {
    await dispose()
    throw error instanceof BodyLimitError && error.exceeded === 'bytes' ? documentTooLarge(maxBytes) : error
  }
}

async function receive(
  request: Request,
  write: (stream: Readable) => Promise<WrittenPart>,
  exceeded: Promise<never>,
): Promise<Omit<ReceivedFile, 'path'>> {
  const parser = openParser(request)
  const { promise: refused, reject: refuse } = Promise.withResolvers<never>()
  let only: Readable | undefined
  let part: { filename: string; written: Promise<WrittenPart> } | undefined
  parser.on('part', (stream) => {
    stream.on('error', () => {}) // the parser reports the same
    if (only) return refuse(notOnePart())
    only = stream
    stream.once('header', (fields: HeaderFields) => {
      try {
        part = { filename: checkPartHeader(fields), written: write(stream) }
        part.written.catch(refuse)
      } catch (error) {
        refuse(error)
      }
    })
  })
  try {
    await Promise.race([refused, exceeded, parse(request, parser, () => part !== undefined)])
    if (!part) throw notOnePart()
    const { filename, written } = part
    const { sizeBytes, sha256 } = await written
    if (sizeBytes === 0) throw new DomainError('DOCUMENT_INVALID', { message: 'The file is empty.' })
    return { filename, sizeBytes, sha256 }
  } catch (error) {
    // A part without an end: its writer would wait, and its file would stay.
    only?.destroy()
    await Promise.allSettled([part?.written])
    throw error
  }
}

/** Resolves when the whole body has been parsed. */
async function parse(request: Request, parser: Dicer, hasBegun: () => boolean): Promise<void> {
  let isParsed = false
  let frameBytes = 0
  const { promise: tooLong, reject } = Promise.withResolvers<never>()
  const parsed = Promise.all([once(parser, 'finish'), finished(request)])
  request.pipe(parser)
  parser.once('finish', () => {
    isParsed = true
    request.resume()
  })
  request.on('data', (chunk: Buffer) => {
    if (hasBegun() && !isParsed) return
    frameBytes += chunk.length
    if (frameBytes > MAX_FRAME_BYTES) reject(malformed(`has more than ${MAX_FRAME_BYTES / 1024} KiB before or after the file.`))
  })
  try {
    await Promise.race([parsed, tooLong])
  } catch (error) {
    throw error instanceof DomainError ? error : malformed('is malformed or incomplete.', error)
  }
}

/** The file name. Throws the reason why this is not the part that an upload consists of. */
function checkPartHeader(fields: HeaderFields): string {
  const header = readPartHeader(fields)
  if (header?.name !== 'file') throw notOnePart()
  const { contentType, filename } = header
  if (!ACCEPTED_TYPES.has(contentType)) throw unsupportedType(contentType ?? '')
  return checkFilename(filename)
}

function openParser(request: Request): Dicer {
  const { value, parameters } = readValue(request.get('content-type') ?? '')
  const boundary = parameters.get('boundary')
  if (value !== 'multipart/form-data' || !boundary) throw malformed('must be multipart/form-data with one part named "file".')
  return new Dicer({ boundary, maxHeaderPairs: MAX_HEADER_FIELDS })
}

function unsupportedType(type: string): DomainError {
  const named = MEDIA_TYPE.test(type) ? type : 'a type that is not valid'
  return new DomainError('UNSUPPORTED_CONTENT_TYPE', {
    message: `file: the part is declared as ${named}. Only application/pdf documents are accepted.`,
  })
}

function malformed(what: string, cause?: unknown): DomainError {
  return new DomainError('VALIDATION_FAILED', { message: `The multipart body ${what}`, cause })
}

function notOnePart(): DomainError {
  return new DomainError('VALIDATION_FAILED', { message: 'file: the body must contain exactly one part, a file named "file".' })
}
