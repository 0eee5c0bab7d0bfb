// Unusable keys, folders and ports end the process: exit code 1 and one sentence with the setting's name, never a stack.
import { copyFile, mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import {
  API,
  CONTROLLER,
  EMBEDDED,
  says,
  SEAL,
  type MisconfiguredStarts,
  misconfiguredStarts,
} from '../support/faults/misconfigured-start.ts'
import { newBucket } from '../support/servers/object-stores.ts'
import { testDatabase } from '../support/servers/test-database.ts'
import { type Environment, runTier } from '../support/servers/tier-process.ts'

const P12 = 'test/unit/core/pades/p12/p256-aes.p12'

let starts: MisconfiguredStarts
beforeAll(async () => {
  starts = await misconfiguredStarts()
})
afterAll(() => starts[Symbol.asyncDispose]())

describe.concurrent('the signing key:', () => {
  test.each<[string, Environment, RegExp]>([
    [
      'a file that is not there',
      { SEALWRIGHT_SIGNING_KEY_P12_FILE: 'absent.p12' },
      /^SEALWRIGHT_SIGNING_KEY_P12_FILE cannot be read: ENOENT/,
    ],
    [
      'a wrong password',
      { SEALWRIGHT_SIGNING_KEY_P12_FILE: P12, SEALWRIGHT_SIGNING_KEY_P12_PASSWORD: 'wrong' },
      /^SEALWRIGHT_SIGNING_KEY_P12_FILE or _PASSWORD: The password does not open the P12 file\.$/,
    ],
    [
      'a file that is no key',
      { SEALWRIGHT_SIGNING_KEY_P12_FILE: 'package.json' },
      /^SEALWRIGHT_SIGNING_KEY_P12_FILE or _PASSWORD: The file is not a readable P12/,
    ],
  ])('%s ends a sealing worker', async (_, changed, sentence) => {
    expect(await starts.ending(SEAL, changed)).toEqual(says(sentence))
  })

  test("one that has expired, by the database's clock", async () => {
    await using late = await testDatabase()
    await late.moveClock(200 * 365 * 86_400)
    const changed = { SEALWRIGHT_SIGNING_KEY_P12_FILE: P12, SEALWRIGHT_SIGNING_KEY_P12_PASSWORD: 'secret' }
    expect(await starts.ending(SEAL, { ...changed, SEALWRIGHT_DATABASE_URL: late.url })).toEqual(
      says(/^SEALWRIGHT_SIGNING_KEY_P12_FILE or _PASSWORD: The certificate expired at /),
    )
  })

  test('a wrong password ends the service in one process', async () => {
    const changed = { SEALWRIGHT_SIGNING_KEY_P12_FILE: P12, SEALWRIGHT_SIGNING_KEY_P12_PASSWORD: 'wrong' }
    expect(await starts.ending(EMBEDDED, { ...changed, SEALWRIGHT_DATA_DIR: path.join(starts.folder, 'embedded-key') })).toEqual(
      says(/^SEALWRIGHT_SIGNING_KEY_P12_FILE or _PASSWORD: The password does not open/),
    )
  })
})

describe.concurrent("another store than the installation's:", () => {
  const claimed = async () => {
    const own = await testDatabase()
    await own.owner`insert into installation_store (only_one) values (true)`
    return own
  }

  test('files end a sealing worker that lacks the S3 settings', async () => {
    await using own = await claimed()
    const withoutS3 = Object.fromEntries(Object.keys(starts.valid).flatMap((name) => (name.includes('_S3_') ? [[name, '']] : [])))
    const changed = { ...withoutS3, SEALWRIGHT_DATABASE_URL: own.url, SEALWRIGHT_DATA_DIR: path.join(starts.folder, 'no-s3') }
    expect(await starts.ending(SEAL, changed)).toEqual(
      says(
        /^SEALWRIGHT_S3_ENDPOINT is not set; SEALWRIGHT_DATA_DIR: this installation stores its documents in a different store\.$/,
      ),
    )
  })

  test.each([
    ['the API', API],
    ['the controller', CONTROLLER],
    ['the service in one process', EMBEDDED],
  ])('another bucket ends %s', async (name, command) => {
    await using own = await claimed()
    const folder = path.join(starts.folder, `another bucket of ${name}`)
    const { bucket } = await newBucket()
    const changed = { SEALWRIGHT_DATABASE_URL: own.url, SEALWRIGHT_DATA_DIR: folder, SEALWRIGHT_S3_BUCKET: bucket }
    expect(await starts.ending(command, changed)).toEqual(
      says(/^SEALWRIGHT_S3_ENDPOINT, _BUCKET: this installation stores its documents in a different store\.$/),
    )
  })
})

describe.concurrent('the data folder:', () => {
  test.each([
    ['the API', API],
    ['a sealing worker', SEAL],
    ['the service in one process', EMBEDDED],
  ])('%s says that it cannot be used', async (_, command) => {
    const file = path.join(starts.folder, `file-of-${path.basename(command.join('-'))}`)
    await copyFile('package.json', file)
    expect(await starts.ending(command, { SEALWRIGHT_DATA_DIR: path.join(file, 'below') })).toEqual(
      says(/^SEALWRIGHT_DATA_DIR, or a parent folder, is a file\.$/),
    )
  })

  test.each([
    ['the API', API],
    ['the service in one process', EMBEDDED],
  ])('%s says that it cannot be made', async (_, command) => {
    expect(await starts.ending(command, { SEALWRIGHT_DATA_DIR: '/proc/sealwright' })).toEqual(
      says(/^The folder SEALWRIGHT_DATA_DIR cannot be created\.$/),
    )
  })

  test('an invalid installation key in it', async () => {
    const own = await mkdtemp(path.join(starts.folder, 'keys-'))
    await mkdir(path.join(own, 'keys'))
    await writeFile(path.join(own, 'keys', 'installation.key'), 'too short')
    const { code, words } = await runTier(EMBEDDED, {
      SEALWRIGHT_DATABASE_URL: starts.database.url,
      SEALWRIGHT_DATA_DIR: own,
      SEALWRIGHT_METRICS_PORT: '0',
    })
    expect({ code, words }).toEqual(
      says(/keys\/installation\.key does not contain an installation key \(32 bytes in base64\)\.$/),
    )
  })
})

test('a used port ends the API and the controller', async () => {
  const port = new URL(inject('postgresUrl')).port
  const [api, controller] = await Promise.all([
    starts.ending(API, { SEALWRIGHT_PORT: port }),
    starts.ending(CONTROLLER, { SEALWRIGHT_METRICS_PORT: port }),
  ])
  expect(api).toEqual(says(/SEALWRIGHT_PORT/))
  expect(controller).toEqual(says(/^Cannot listen on 127\.0\.0\.1:\d+: .*EADDRINUSE.*\. See SEALWRIGHT_METRICS_PORT\.$/))
})
