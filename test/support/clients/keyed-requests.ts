// Requests with an Idempotency-Key, as a client would repeat them.
import { expect } from 'vitest'
import type { Answer, ApiClient } from './api-client.ts'

/** A POST with a key. */
export function postOnce(client: ApiClient, key: string, path: string, body?: unknown): Promise<Answer> {
  const headers = { 'Idempotency-Key': key, ...(body !== undefined && { 'Content-Type': 'application/json' }) }
  return client.send('POST', path, { headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
}

/** An upload with a key. */
export function uploadOnce(client: ApiClient, key: string, path: string, bytes: Uint8Array, name = 'lease.pdf'): Promise<Answer> {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(bytes)], { type: 'application/pdf' }), name)
  return client.send('POST', path, { body: form, headers: { 'Idempotency-Key': key } })
}

/** Expects the first response, byte for byte, marked as a replay. */
export function expectReplay(again: Answer, first: Answer): void {
  expect([again.status, again.body]).toEqual([first.status, first.body])
  expect([first.headers.get('idempotency-replayed'), again.headers.get('idempotency-replayed')]).toEqual([null, 'true'])
  expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'))
}
