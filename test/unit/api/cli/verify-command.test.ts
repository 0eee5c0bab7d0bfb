// `sealwright verify` as a command: the clock of this machine, and the exit code.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newSelfSignedKey } from '#core/pades/self-signed-key.ts'
import { toPemCertificate } from '#core/pades/signing-key.ts'
import { runInProcess } from '../../../support/clients/command-line.ts'
import { revised, saveIncrementally } from '../../core/pades/forgeries.ts'
import { sealedFile } from '../../core/pades/sealed-file.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sealwright-verify-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('refuses a seal that is dated more than a day ahead', async () => {
  const [file, trust] = [path.join(folder, 'sealed.pdf'), path.join(folder, 'root.pem')]
  const key = await newSelfSignedKey({ commonName: 'Seal', organisation: 'House', now: new Date() })
  await writeFile(trust, key.chain.map(toPemCertificate).join(''))
  const check = async (hours: number) => {
    await writeFile(file, await sealedFile(key, undefined, new Date(Date.now() + hours * 3_600_000)))
    return runInProcess({}, ['verify', file, '--trust', trust])
  }
  expect(await check(23)).toMatchObject({ code: 0, stdout: expect.stringContaining('valid') })
  expect(await check(25)).toMatchObject({ code: 1, stdout: expect.stringContaining('(SIGNING_TIME_IN_FUTURE)') })
})

// requirements: decisions/security/verdicts and exit codes
it.each([
  ['a seal at the end', [], 0, 'valid\n', { valid: true, coversWholeFile: true }],
  ['something permitted after it', ['metadata'], 4, 'valid up to byte ', { valid: true, coversWholeFile: false }],
  ['something else after it', ['content'], 1, 'NOT VALID\n', { valid: false, coversWholeFile: false }],
  ['no trusted certificate', ['untrusted'], 3, 'intact, origin not checked\n', { valid: null, trusted: null }],
] as const)('answers for %s', async (_, [change], code, headline, json) => {
  const [file, trust] = [path.join(folder, 'sealed.pdf'), path.join(folder, 'root.pem')]
  const key = await newSelfSignedKey({ commonName: 'Seal', organisation: 'House', now: new Date() })
  const sealed = await sealedFile(key, undefined, new Date())
  const changes = {
    metadata: () => revised(sealed, new Map([[99, '<<>>']])),
    content: () => saveIncrementally(sealed),
    untrusted: () => sealed,
  }
  await writeFile(trust, key.chain.map(toPemCertificate).join(''))
  await writeFile(file, change === undefined ? sealed : changes[change]())
  const options = change === 'untrusted' ? [] : ['--trust', trust]
  const answer = await runInProcess({}, ['verify', file, ...options])
  expect(answer).toMatchObject({ code, stdout: expect.stringContaining(`${file}: ${headline}`) })
  const { code: sameCode, stdout } = await runInProcess({}, ['verify', file, '--json', ...options])
  expect([sameCode, JSON.parse(stdout)]).toMatchObject([code, json])
})
