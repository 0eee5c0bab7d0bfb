// The chart in a closed network: what it pulls, and which hosts a render names.
import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { describeMissingDigests, listImages } from '../../hack/chart/images.ts'
import { objectsIn, renderChart } from '../../hack/chart/render.ts'
import { hostsIn, hostsOfUrls } from '../support/judges/chart-hosts.ts'
import { EVALUATION, PROFILES } from './profiles.ts'

const REGISTRY = 'registry.example.internal:5000/mirror'
const MIRROR = ['--set', `imageRegistry=${REGISTRY}`]
const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`

describe('the images', () => {
  test('are the one of the product, and those of an evaluation by default', async () => {
    const namesOf = async (args: readonly string[]) => (await listImages(args)).map(({ name }) => name.replace(/:[^:]*$/, ''))
    expect(await namesOf(PROFILES[0]!.args)).toEqual(['docker.io/sealwright/sealwright'])
    expect((await namesOf([])).toSorted()).toEqual([
      'docker.io/library/nats',
      'docker.io/library/postgres',
      'docker.io/sealwright/sealwright',
      'docker.io/versity/versitygw',
    ])
  })

  test('are all of the registry that one value names, in the same order', async () => {
    const [ours, theirs] = [await listImages([]), await listImages(MIRROR)]
    expect(theirs.map(({ name }) => name)).toEqual(ours.map(({ name }) => name.replace('docker.io', REGISTRY)))
  })

  test('without a digest are named, each with the value that sets it', async () => {
    const images = await listImages([])
    const problem = describeMissingDigests(images) ?? ''
    const lines = problem.split('\n').slice(1)
    expect(lines).toHaveLength(images.length)
    const settings = lines.map((line) => line.trim().replace(/\$\(crane digest .*\)$/, DIGEST))
    const fixed = await listImages(settings.flatMap((each) => each.split(' ')))
    expect(fixed.map(({ name }) => name)).toEqual(images.map(({ name }) => `${name}@${DIGEST}`))
    expect(describeMissingDigests(fixed)).toBeUndefined()
    const [first, ...others] = fixed
    expect(describeMissingDigests([{ ...first!, name: 'registry.example/one:1' }, ...others])).toContain('1 of 4 images')
  })
})

/** Names of the release's own Services, which end in no domain, and of the cluster. */
const OF_CLUSTER = /^sealwright-[a-z-]+(\.sealwright)?$|\.svc$/

describe('no object names a host but those of the values and of the cluster', () => {
  const closed = PROFILES.find(({ name }) => name === 'air-gapped')!
  test.each([closed, { name: 'evaluation', args: [...EVALUATION.args, ...MIRROR] }])('$name', async ({ args }) => {
    const files = args.flatMap((each, index) => (args[index - 1] === '--values' ? [each] : []))
    const values = (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('\n')
    const given = [...hostsOfUrls(values), REGISTRY.split(':')[0]]
    // The definitions describe their fields with examples.
    const objects = objectsIn(await renderChart({ args })).filter(({ kind }) => kind !== 'CustomResourceDefinition')
    const hosts = hostsIn(objects)
    expect(hosts).toContain('registry.example.internal')
    expect(hosts.filter((host) => !given.includes(host) && !OF_CLUSTER.test(host))).toEqual([])
  })

  test('hosts are found in images, URLs, variables and arguments', () => {
    const metadata = {
      name: 'one',
      annotations: { link: 'see https://docs.example.org/page and nats://u:p@queue.example.net:4222' },
    }
    const env = [
      { name: 'A', value: 'smtp.example.com:25,10.0.0.1, localhost' },
      { name: 'VERSION', value: '1.2.3' },
    ]
    const containers = [{ image: 'quay.example.io:443/one/two:1', env, args: ['--server=api.example.com', '/etc/a.pem'] }]
    expect(hostsIn([{ apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers } }])).toEqual([
      'api.example.com',
      'docs.example.org',
      'quay.example.io',
      'queue.example.net',
      'smtp.example.com',
    ])
  })
})
