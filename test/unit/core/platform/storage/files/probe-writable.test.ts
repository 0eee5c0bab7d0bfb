import { mkdtempDisposable, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { probeWritable } from '#core/platform/storage/files/probe-writable.ts'
import { expect, test } from 'vitest'

test('a writable folder passes, and no probe stays in it', async () => {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'sealwright-write-'))
  await probeWritable(folder.path)
  expect(await readdir(folder.path)).toEqual([])
})

test('one that is not writable is reported with the setting', async () => {
  await expect(probeWritable('/proc/self')).rejects.toThrow('SEALWRIGHT_DATA_DIR')
})
