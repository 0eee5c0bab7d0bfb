// What values the chart refuses, with messages that name the key, and how settings reach the processes.
import { SETTINGS } from '#core/platform/config/settings.ts'
import { readSettings } from '#core/platform/config/read-settings.ts'
import { describe, expect, test } from 'vitest'
import { renderChart } from '../../hack/chart/render.ts'
import { SECRET_SETTINGS, valueName } from '../../hack/chart/settings-values.ts'
import { EVALUATION, MINIMAL } from './profiles.ts'
import { environmentOf } from '../support/judges/chart-environment.ts'

const onMinimal = (...args: string[]) => renderChart({ args: ['--values', MINIMAL, ...args] })

// `null` removes a key of minimal.yaml.
describe('refuses', () => {
  test.each([
    ['an unknown key', ['--set', 'replicas=3'], /'replicas'/],
    ['an unknown key of a component', ['--set', 'api.replica=3'], /api.*'replica'/],
    ['an unknown setting', ['--set', 'settings.otpTries=3'], /settings.*'otpTries'/],
    ['a wrong type', ['--set-string', 'api.replicas=two'], /api\/replicas/],
    ['a negative number of pods', ['--set', 'api.replicas=-1'], /api\/replicas/],
    ['no publicUrl', ['--set', 'publicUrl=null'], /publicUrl/],
    ['an empty publicUrl', ['--set', 'publicUrl='], /publicUrl/],
    ['a publicUrl with a path', ['--set', 'publicUrl=https://example.com/sign'], /publicUrl/],
    ['no database', ['--set', 'database=null'], /database/],
    ['no Secret of the database', ['--set', 'database.existingSecret=null'], /database.*existingSecret/s],
    ['an empty Secret of the database', ['--set', 'database.existingSecret='], /database\/existingSecret/],
    ['no NATS', ['--set', 'nats=null'], /nats/],
    ['no URL of NATS', ['--set', 'nats.url=null'], /nats.*url/s],
    ['no object store', ['--set', 'objectStore=null'], /objectStore/],
    ['no bucket', ['--set', 'objectStore.bucket=null'], /objectStore.*bucket/s],
    ['no Secret of the object store', ['--set', 'objectStore.existingSecret=null'], /objectStore.*existingSecret/s],
    ['a URL of the database', ['--set', 'database.url=postgres://u:p@h/d'], /database.*'url'/],
    ['a password of the database', ['--set', 'database.password=p'], /database.*'password'/],
    ['a password in the URL of NATS', ['--set', 'nats.url=nats://u:p@h:4222'], /nats\/url/],
    ['keys of the object store', ['--set', 'objectStore.secretAccessKey=k'], /objectStore.*'secretAccessKey'/],
    ['a URL of the mail server', ['--set', 'smtp.url=smtp://u:p@h'], /smtp.*'url'/],
    ['an installation key', ['--set', 'installationKey.value=k'], /installationKey.*'value'/],
    ['a password of the signing key', ['--set', 'signingKey.password=p'], /signingKey.*'password'/],
    ['a client secret', ['--set', 'oidc.clientSecret=s'], /oidc.*'clientSecret'/],
    ['a secret as a setting', ['--set', 'settings.databaseUrl=postgres://u:p@h/d'], /settings.*'databaseUrl'/],
    ['a secret as a variable', ['--set', 'extraEnv[0].name=SEALWRIGHT_SMTP_URL,extraEnv[0].value=smtp://u:p@h'], /extraEnv\/0/],
    [
      'a secret as a variable of a component',
      ['--set', 'relay.extraEnv[0].name=SEALWRIGHT_SMTP_URL,relay.extraEnv[0].value=smtp://u:p@h'],
      /relay\/extraEnv\/0/,
    ],
    [
      'two autoscalers',
      ['--set', 'worker.autoscaling.mode=keda,worker.autoscaling.hpa.enabled=true'],
      /worker\/autoscaling.*'hpa'/,
    ],
    ['two autoscalers as a list', ['--set', 'worker.autoscaling.mode={hpa,keda}'], /worker\/autoscaling\/mode/],
    ['an unknown autoscaler', ['--set', 'worker.autoscaling.mode=vpa'], /worker\/autoscaling\/mode/],
    ['resources without a memory limit', ['--set', 'api.resources.limits=null'], /api\/resources.*limits/s],
    ['a memory limit in an unknown unit', ['--set', 'api.resources.limits.memory=1GB'], /memory limit 1GB/],
    ['a short digest', ['--set', 'image.digest=sha256:abc'], /image\/digest/],
    ['a network that is none', ['--set', 'networkPolicy.apiServerCidrs={everywhere}'], /networkPolicy\/apiServerCidrs\/0/],
    ['a Gateway without a name', ['--set', 'gateway.enabled=true'], /gateway\.parentRefs/],
  ])('%s', async (_name, args, message) => {
    await expect(onMinimal(...args)).rejects.toThrow(message)
  })

  test('an empty set of values, with every missing key', async () => {
    const problem = await renderChart({}).then(
      () => '',
      (error: Error) => error.message,
    )
    for (const key of ['publicUrl', 'existingSecret', 'url', 'endpoint', 'bucket']) expect(problem).toContain(`'${key}'`)
  })
})

describe('settings', () => {
  const settings = Object.values(SETTINGS).filter(({ name }) => !SECRET_SETTINGS.includes(name))

  test('every setting that is not a secret is a value, and reaches the processes under its name', async () => {
    const values = settings.map(({ name }) => `settings.${valueName(name)}=x-${valueName(name)}`)
    const rendered = await onMinimal(...values.flatMap((each) => ['--set-string', each]))
    const environment = environmentOf(rendered, 'sealwright-api')
    for (const { name } of settings) expect(environment).toMatchObject({ [name]: `x-${valueName(name)}` })
  })

  test.each([
    ['a large number', 'quotaStorageBytes=107374182400', { SEALWRIGHT_QUOTA_STORAGE_BYTES: '107374182400' }],
    ['a boolean', 'refuseActiveContent=false', { SEALWRIGHT_REFUSE_ACTIVE_CONTENT: 'false' }],
    ['a list', 'webhookAllowedCidrs={10.0.0.0/8,10.1.0.0/16}', { SEALWRIGHT_WEBHOOK_ALLOWED_CIDRS: '10.0.0.0/8,10.1.0.0/16' }],
    ['what the chart sets itself', 'port=8888', { SEALWRIGHT_PORT: '8888' }],
  ])('%s', async (_name, value, expected) => {
    const environment = environmentOf(await onMinimal('--set', `settings.${value}`), 'sealwright-api')
    expect(environment).toMatchObject(expected)
  })
})

test.each(['api', 'worker', 'relay', 'controller'])('the process %s accepts the settings of the chart', async (component) => {
  for (const args of [['--values', MINIMAL], EVALUATION.args]) {
    const environment = environmentOf(await renderChart({ args }), `sealwright-${component}`)
    // Files of the cluster that are not on this machine.
    const here = Object.entries(environment).filter(([name]) => name.startsWith('SEALWRIGHT_') && !name.endsWith('_FILE'))
    const names = here.map(([name]) => name)
    const withSecrets = {
      ...Object.fromEntries(here),
      ...(names.includes('SEALWRIGHT_S3_ENDPOINT') && {
        SEALWRIGHT_S3_ACCESS_KEY_ID: 'id',
        SEALWRIGHT_S3_SECRET_ACCESS_KEY: 'key',
      }),
    }
    expect(() => readSettings(withSecrets)).not.toThrow()
  }
})

test('the heap of Node is 60 % of the memory limit', async () => {
  const rendered = await onMinimal('--set', 'api.resources.limits.memory=2Gi,relay.resources.limits.memory=1000M')
  expect(environmentOf(rendered, 'sealwright-api')).toMatchObject({ NODE_OPTIONS: '--max-old-space-size=1228' })
  expect(environmentOf(rendered, 'sealwright-relay')).toMatchObject({ NODE_OPTIONS: '--max-old-space-size=571' })
  expect(environmentOf(rendered, 'sealwright-worker')).toMatchObject({
    NODE_OPTIONS: '--max-semi-space-size=2 --max-old-space-size=1536',
  })
})

test('every process returns freed memory to the system', async () => {
  for (const component of ['api', 'worker', 'relay', 'controller'])
    expect(environmentOf(await onMinimal(), `sealwright-${component}`)).toMatchObject({
      MALLOC_ARENA_MAX: '2',
      MALLOC_TRIM_THRESHOLD_: '131072',
    })
})
