import { DomainError } from '#core/platform/errors/domain-error.ts'
import { describingErrors } from '#core/platform/storage/files/file-errors.ts'
import { StorageError } from '#core/platform/storage/storage-error.ts'
import { describe, expect, test } from 'vitest'

const systemError = (code: string) => Object.assign(new Error(`${code}: said the system, open '/home/ada/secret.pdf'`), { code })

describe('a fault of the disk', () => {
  test.each([
    ['ENOSPC', 'full', 'The disk of SEALWRIGHT_DATA_DIR has no space left.'],
    ['EDQUOT', 'full', 'The disk quota of SEALWRIGHT_DATA_DIR is used up.'],
    ['EFBIG', 'full', 'A file in SEALWRIGHT_DATA_DIR would exceed the file size limit of this process (ulimit -f).'],
    ['EACCES', 'denied', 'The user of the service cannot read and write SEALWRIGHT_DATA_DIR.'],
    ['EROFS', 'denied', 'SEALWRIGHT_DATA_DIR is on a read-only file system.'],
    ['EIO', 'failed', 'A file in SEALWRIGHT_DATA_DIR could not be used: EIO.'],
  ])('%s is described in one sentence, without a path', async (code, reason, message) => {
    const cause = systemError(code)
    await expect(describingErrors(() => Promise.reject(cause))).rejects.toMatchObject({
      name: 'StorageError',
      reason,
      message,
      cause,
    })
  })

  test('that was described already is described once', async () => {
    const described = new StorageError('missing', 'There is no object a.')
    await expect(describingErrors(() => Promise.reject(described))).rejects.toBe(described)
  })

  test.each([
    ['of the program', new TypeError('Not an object key')],
    ['of the request, which has a code of its own,', new DomainError('DOCUMENT_TOO_LARGE')],
  ])('%s stays what it is', async (_name, fault) => {
    await expect(describingErrors(() => Promise.reject(fault))).rejects.toBe(fault)
  })
})
