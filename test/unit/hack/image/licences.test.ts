import { expect, test } from 'vitest'
import { assertLicences } from '../../../../hack/image/licences.ts'

test.each([
  { license: 'MIT', allowed: true },
  { license: '(BSD-3-Clause OR GPL-2.0)', allowed: true },
  { license: '(MIT AND Zlib)', allowed: true },
  { license: 'GPL-3.0-only', allowed: false },
  { license: '(MIT AND AGPL-3.0-only)', allowed: false },
  { license: 'UNLICENSED', allowed: false },
  { license: undefined, allowed: false },
])('a package with the licence $license is allowed: $allowed', ({ license, allowed }) => {
  const check = () => assertLicences([{ name: 'left', version: '1.0.0', license }])
  if (allowed) expect(check()).toBeUndefined()
  else expect(check).toThrow(`left@1.0.0 (${license ?? 'none'})`)
})
