// Reads a JSON body: limited in size and depth, UTF-8 only, JSON content type required. Invalid bytes and duplicate keys are rejected,
// never repaired.
import { DomainError } from '#core/platform/errors/domain-error.ts'
import type { BodyLimits } from '#core/platform/http/read-within.ts'
import { hasBody } from '#core/platform/http/unread-body.ts'
import express, { type Request, type Response } from 'express'
import { exceedsValueLimit } from './json-value-limit.ts'
import { findDuplicateKey } from './duplicate-key.ts'
import { runParser } from './run-parser.ts'

const USUAL_MAX_BYTES = 256 * 1024
const MAX_DEPTH = 20
/** Enough for the largest useful body; parsing takes a few milliseconds. */
const MAX_VALUES = 20_000

/**
 * The body's value, also stored in `request.body`; `undefined` without a body. Throws UNSUPPORTED_MEDIA_TYPE, MALFORMED_JSON,
 * BodyLimitError, or VALIDATION_FAILED for too many values, too deep nesting or duplicate keys.
 */
export async function readJsonBody(
  request: Request,
  response: Response,
  maxSeconds: number,
  maxBytes = USUAL_MAX_BYTES,
): Promise<unknown> {
  if (!hasBody(request)) return undefined
  if (!request.is('application/json') || !isUtf8(request)) throw new DomainError('UNSUPPORTED_MEDIA_TYPE')
  const text = await readText(request, response, { maxBytes, maxSeconds })
  const body = text === '' ? undefined : parseText(text)
  request.body = body
  return body
}

/** JSON has no other encoding (RFC 8259, 8.1). */
function isUtf8(request: Request): boolean {
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(request.get('content-type') ?? '') ?? []
  return /^utf-?8$/i.test(charset)
}

async function readText(request: Request, response: Response, limits: BodyLimits): Promise<string> {
  await runParser(express.raw({ limit: limits.maxBytes, type: () => true }), request, response, limits)
  const bytes: unknown = request.body
  try {
    return Buffer.isBuffer(bytes) ? new TextDecoder('utf-8', { fatal: true }).decode(bytes) : ''
  } catch (error) {
    throw new DomainError('MALFORMED_JSON', { message: 'The body is not valid UTF-8.', cause: error })
  }
}

function parseText(text: string): unknown {
  if (exceedsValueLimit(text, MAX_VALUES))
    throw new DomainError('VALIDATION_FAILED', { message: `body: contains more than ${MAX_VALUES} names and values.` })
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (error) {
    throw new DomainError('MALFORMED_JSON', { cause: error })
  }
  if (depthExceeds(body, MAX_DEPTH))
    throw new DomainError('VALIDATION_FAILED', { message: `body: is nested more than ${MAX_DEPTH} levels deep.` })
  const repeated = findDuplicateKey(text)
  if (repeated !== undefined)
    throw new DomainError('VALIDATION_FAILED', { message: `body: contains the key ${JSON.stringify(repeated)} twice.` })
  return body
}

function depthExceeds(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((member) => depthExceeds(member, levels - 1))
}
