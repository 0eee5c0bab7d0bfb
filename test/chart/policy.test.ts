// Rules that every pod of every profile keeps, with no exception.
import { describe, expect, test } from 'vitest'
import { objectsIn, renderChart } from '../../hack/chart/render.ts'
import { podsOf, violationsOf } from '../support/judges/chart-policy.ts'
import { PROFILES } from './profiles.ts'

/** Whose pods speak to the API server. */
const API_CLIENTS = /-(worker|controller|migrate|preflight)$/

describe.each(PROFILES)('the profile $name', ({ args }) => {
  test('starts only restricted pods', async () => {
    const pods = podsOf(objectsIn(await renderChart({ args })))
    expect(pods.length).toBeGreaterThan(6)
    expect(pods.flatMap((pod) => violationsOf(pod, API_CLIENTS.test(pod.owner)))).toEqual([])
  })
})

describe('a pod', () => {
  const good = {
    owner: 'Deployment good',
    spec: podsOf([
      {
        kind: 'Deployment',
        metadata: { name: 'good' },
        spec: {
          template: {
            spec: {
              automountServiceAccountToken: false,
              enableServiceLinks: false,
              securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
              containers: [
                {
                  name: 'one',
                  image: 'example.com/one:1',
                  resources: { requests: { cpu: '1', memory: '1Gi' }, limits: { memory: '1Gi' } },
                  securityContext: {
                    allowPrivilegeEscalation: false,
                    readOnlyRootFilesystem: true,
                    capabilities: { drop: ['ALL'] },
                  },
                  startupProbe: {},
                  livenessProbe: {},
                  readinessProbe: {},
                },
              ],
            },
          },
        },
      } as { kind: string },
    ])[0]!.spec,
  }
  const [container] = good.spec.containers
  const withContainer = (change: object) => ({ ...good.spec, containers: [{ ...container!, ...change }] })

  test.each([
    ['as it should be', good.spec, []],
    ['that may run as root', { ...good.spec, securityContext: {} }, ['may run as root', 'has no seccomp profile']],
    ['with a token by default', { ...good.spec, automountServiceAccountToken: true }, ['gets a token by default']],
    [
      'with a token that it does not need',
      { ...good.spec, volumes: [{ name: 'token', projected: { sources: [{ serviceAccountToken: {} }] } }] },
      ['has a token'],
    ],
    [
      'with a folder of the node',
      { ...good.spec, volumes: [{ name: 'host', hostPath: { path: '/' } }] },
      ['mounts a folder of the node'],
    ],
    [
      'that may write to its image',
      withContainer({ securityContext: { ...container!.securityContext, readOnlyRootFilesystem: false } }),
      ['may write to its image'],
    ],
    ['without limits', withContainer({ resources: { requests: {}, limits: {} } }), ['has no memory limit', 'has no requests']],
    ['without probes', withContainer({ readinessProbe: undefined }), ['lacks a probe']],
    [
      'with a secret',
      withContainer({ env: [{ name: 'SEALWRIGHT_DATABASE_URL', value: 'postgres://' }] }),
      ['has a secret in SEALWRIGHT_DATABASE_URL'],
    ],
    ['with a moving image', withContainer({ image: 'example.com/one:latest' }), ['has no fixed image']],
  ])('%s', (_name, spec, problems) => {
    const found = violationsOf({ owner: 'Deployment good', spec }, false)
    expect(found.map((each) => each.replace(/^Deployment good(, one:)? /, ''))).toEqual(problems)
  })
})
