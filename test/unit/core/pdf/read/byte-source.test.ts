import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bufferSource, openFileSource } from '#core/pdf/read/byte-source.ts'

const BLOCK = 64 * 1024
const BYTES = Buffer.from(Uint32Array.from({ length: 60 * 1024 }, (_, index) => index * 2654435761).buffer)

let folder: string
let file: string

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'sealwright-source-'))
  file = path.join(folder, 'bytes')
  writeFileSync(file, BYTES)
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.each(['buffer', 'file'])('a %s as source', (kind) => {
  test.each([
    ['the first bytes', 0, 10],
    ['bytes on both sides of a block', BLOCK - 3, BLOCK + 3],
    ['a whole block', BLOCK, 2 * BLOCK],
    ['more than a block', 10, 3 * BLOCK + 7],
    ['the last bytes', BYTES.length - 5, BYTES.length],
    ['what exists of a range beyond the end', BYTES.length - 5, BYTES.length + 100],
    ['what exists of a range before the start', -100, 4],
    ['nothing beyond the end', BYTES.length + 1, BYTES.length + 9],
  ])('reads %s', (_, start, end) => {
    using source = kind === 'buffer' ? { ...bufferSource(BYTES), [Symbol.dispose]() {} } : openFileSource(file)
    expect(source.length).toBe(BYTES.length)
    expect(source.read(start, end)).toEqual(BYTES.subarray(Math.max(0, start), Math.max(0, end)))
  })
})

test('a file returns the right bytes after more blocks than it caches', () => {
  using source = openFileSource(file)
  const large = path.join(folder, 'large')
  writeFileSync(large, Buffer.alloc(50 * BLOCK, 'x'))
  using other = openFileSource(large)
  for (let block = 0; block < 50; block++) expect(other.read(block * BLOCK, block * BLOCK + 2).toString()).toBe('xx')
  for (const start of [0, BLOCK, 0, 2 * BLOCK]) {
    expect(source.read(start, start + 8)).toEqual(BYTES.subarray(start, start + 8))
  }
})

test('bytes that were read stay unchanged when other blocks are read', () => {
  using source = openFileSource(file)
  const kept = source.read(0, 16)
  source.read(2 * BLOCK, 2 * BLOCK + 16)
  expect(kept).toEqual(BYTES.subarray(0, 16))
})

test('a file that becomes shorter causes an error', () => {
  const shrinking = path.join(folder, 'shrinking')
  writeFileSync(shrinking, BYTES)
  using source = openFileSource(shrinking)
  truncateSync(shrinking, 100)
  expect(() => source.read(50, 150)).toThrow('became shorter')
})
