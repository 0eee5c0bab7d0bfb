import { DomainError } from '#core/platform/errors/domain-error.ts'
import { describingErrors } from '#core/platform/storage/files/file-errors.ts'
import { StorageError } from '#core/platform/storage/storage-error.ts'
import { describe, expect, test } from 'vitest'

const systemError = (code: string) => Object.assign(new Error(`${code}: said the system, open '/home/ada/secret.pdf'`), { code })

describe('a disk error', () => {
  test.each([
    ['ENOSPC', 'full', 'There is no space left on the disk of SEALWRIGHT_DATA_DIR.'],
    ['EDQUOT', 'full', 'The disk quota for SEALWRIGHT_DATA_DIR is used up.'],
    ['EFBIG', 'full', 'A file under SEALWRIGHT_DATA_DIR would be larger than this process may write (ulimit -f).'],
    ['EACCES', 'denied', 'SEALWRIGHT_DATA_DIR cannot be read and written by the user that the service runs as.'],
    ['EROFS', 'denied', 'SEALWRIGHT_DATA_DIR lies on a read-only file system.'],
    ['EIO', 'failed', 'A file under SEALWRIGHT_DATA_DIR could not be used: EIO.'],
  ])('%s is reported in one sentence, without a path', async (code, reason, message) => {
    const cause = systemError(code)
    await expect(describingErrors(() => Promise.reject(cause))).rejects.toMatchObject({
      name: 'StorageError',
      reason,
      message,
      cause,
    })
  })

  test('that was translated already stays unchanged', async () => {
    const told = new StorageError('missing', 'There is no object a.')
    await expect(describingErrors(() => Promise.reject(told))).rejects.toBe(told)
  })

  test.each([
    ['of the program', new TypeError('Not an object key')],
    ['of the request, which has a code of its own,', new DomainError('DOCUMENT_TOO_LARGE')],
  ])('%s stays unchanged', async (_name, fault) => {
    await expect(describingErrors(() => Promise.reject(fault))).rejects.toBe(fault)
  })
})
