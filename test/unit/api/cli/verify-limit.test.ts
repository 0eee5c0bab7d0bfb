// `sealwright verify` of a file that takes too long: nothing is known about it then, so the exit code is neither that of valid nor of not valid.
import { mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { newSelfSignedKey } from '#core/pades/self-signed-key.ts'
import { runCommand } from '../../../../api/cli/run-command.ts'
import { captured } from '../../../support/clients/command-line.ts'
import { SEALED_AT, sealedFile } from '../../core/pades/sealed-file.ts'

test('the command ends at its time limit with an exit code of its own', async () => {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'sealwright-verify-'))
  const file = path.join(folder.path, 'sealed.pdf')
  writeFileSync(file, await sealedFile(await newSelfSignedKey({ commonName: 'Seal', organisation: 'House', now: SEALED_AT })))
  const verify = (...options: string[]) => captured(() => runCommand(['verify', file, '--json', ...options]))

  expect(await verify('--timeout', '0.001')).toEqual({
    code: 5,
    stdout: '',
    stderr: `${file} was not checked. It takes longer than 0.001 s. Use --timeout to let it take longer.\n`,
  })
  expect(await verify('--timeout', '30')).toMatchObject({ stdout: expect.stringContaining('"valid"'), stderr: '' })
  expect(await verify('--timeout', '0')).toMatchObject({ code: 2, stdout: '' })
})
