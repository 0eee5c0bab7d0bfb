// Streams one multipart part named `file` to local disk and hashes it, so that memory use stays constant and the event loop free.
import { createHash, randomUUID } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import type { ReceivedFile } from '#core/envelope/document/store-upload.ts'
import { describingErrors } from '#core/platform/storage/files/file-errors.ts'
import type { Request } from 'express'
import { checkFilename } from './check-filename.ts'

export interface UploadLimits {
  /** Folder for the file during inspection and storage. */
  spoolDir: string
  maxBytes: number
}

/**
 * The received file; disposing deletes it from disk. Throws VALIDATION_FAILED for another shape of body, UNSUPPORTED_CONTENT_TYPE for
 * another type, DOCUMENT_TOO_LARGE above the limit, and StorageError when the disk fails.
 */
export async function receiveUpload(request: Request, limits: UploadLimits): Promise<ReceivedFile & AsyncDisposable> {
  const filePath = path.join(limits.spoolDir, `${randomUUID()}.pdf`)
  const dispose = () => rm(filePath, { force: true })
  try {
    const received = await receive(request, filePath, limits.maxBytes)
    return { ...received, path: filePath, [Symbol.asyncDispose]: dispose }
  } catch (error) {
    await dispose()
    throw error
  }
}

interface Part {
  fieldName: string
  filename: string | undefined
  contentType: string
  stream: Readable
  written: Promise<{ sizeBytes: number; sha256: Buffer }>
}

async function receive(request: Request, filePath: string, maxBytes: number): Promise<Omit<ReceivedFile, 'path'>> {
  const parser = openParser(request)
  const parts: Part[] = []
  let others = 0
  parser.on('file', (fieldName, stream, filename, _encoding, contentType) => {
    // A truncated part emits an error even without a reader; the parser reports the same error, which is handled below.
    stream.on('error', () => {})
    if (parts.length > 0) {
      others++
      stream.resume()
      return
    }
    const written = describingErrors(() => writePart(stream, filePath, maxBytes))
    written.catch(() => stream.resume()) // a refused part is still read to its end, so that the client receives the response
    parts.push({ fieldName, filename, contentType, stream, written })
  })
  parser.on('field', () => others++)
  parser.on('partsLimit', () => others++)
  try {
    await pipeline(request, parser)
  } catch (error) {
    // A truncated part never ends: without this its writer would wait and its file stay for ever.
    for (const { stream } of parts) stream.destroy()
    await Promise.allSettled(parts.map(({ written }) => written))
    throw new DomainError('VALIDATION_FAILED', { message: 'The multipart body is malformed or incomplete.', cause: error })
  }
  return checkPart(parts[0], others)
}

async function checkPart(part: Part | undefined, others: number): Promise<Omit<ReceivedFile, 'path'>> {
  if (!part || part.fieldName !== 'file' || others > 0) {
    await part?.written.catch(() => {})
    throw new DomainError('VALIDATION_FAILED', { message: 'file: the body must contain exactly one part, a file named "file".' })
  }
  const [written] = await Promise.allSettled([part.written])
  if (part.contentType !== 'application/pdf') throw new DomainError('UNSUPPORTED_CONTENT_TYPE')
  const filename = checkFilename(part.filename)
  if (written.status === 'rejected') throw written.reason
  if (written.value.sizeBytes === 0) throw new DomainError('DOCUMENT_INVALID', { message: 'The file is empty.' })
  return { filename, ...written.value }
}

function openParser(request: Request): BusboyInstance {
  const contentType = request.get('content-type') ?? ''
  try {
    return new Busboy({
      headers: { ...request.headers, 'content-type': contentType },
      preservePath: true,
      isPartAFile: (_name, type, filename) => filename !== undefined || type !== 'text/plain',
      limits: { parts: 2, fields: 1, fieldSize: 1024, headerPairs: 20, headerSize: 8 * 1024 },
    })
  } catch (error) {
    throw new DomainError('VALIDATION_FAILED', {
      message: 'The body must be multipart/form-data with one part named "file".',
      cause: error,
    })
  }
}

/** On failure it leaves the rest of the part unread, not destroyed: the parser waits until every part is read. */
async function writePart(stream: Readable, filePath: string, maxBytes: number): Promise<{ sizeBytes: number; sha256: Buffer }> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  await using file = await open(filePath, 'wx', 0o600)
  for await (const chunk of chunksOf(stream)) {
    sizeBytes += chunk.length
    if (sizeBytes > maxBytes)
      throw new DomainError('DOCUMENT_TOO_LARGE', { message: `The document is larger than ${maxBytes} bytes.` })
    hash.update(chunk)
    await file.writeFile(chunk)
  }
  return { sizeBytes, sha256: hash.digest() }
}

function chunksOf(stream: Readable): AsyncIterable<Buffer> {
  return stream.iterator({ destroyOnReturn: false })
}
