// The list of Debian packages against an empty search path, so that a test installs nothing.
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { describeMissing, listMissingPackages, SYSTEM_PACKAGES } from '../../../hack/system-packages.mjs'

describe('the packages that tests need', () => {
  test('are all missing where no program is found', () => {
    expect(listMissingPackages('/nonexistent')).toEqual(SYSTEM_PACKAGES.map(({ name }) => name))
  })

  test('a package counts as present once its program is on the search path', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'sealwright-path-'))
    try {
      await symlink(process.execPath, path.join(folder, 'qpdf'))
      const missing = listMissingPackages(folder)
      expect(missing).not.toContain('qpdf')
      expect(missing).toContain('poppler-utils')
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  test('a python3 that cannot create virtual environments counts as missing', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'sealwright-path-'))
    try {
      await symlink('/bin/false', path.join(folder, 'python3'))
      expect(listMissingPackages(folder)).toContain('python3-venv')
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  test('one sentence names every missing package and Go', () => {
    const sentence = describeMissing(['qpdf', 'chromium'], true)
    expect(sentence).toContain('apt-get install qpdf chromium')
    expect(sentence).toContain('Go (https://go.dev/dl)')
    expect(sentence.match(/\.(\s|$)/g)).toHaveLength(1)
  })
})
