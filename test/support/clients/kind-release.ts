// A release of the evaluation profile in a namespace of its own, under an address that this machine reaches.
import { expect } from 'vitest'
import { z } from 'zod'
import { type Cluster, kindCluster, untilAccepting } from './kind-cluster.ts'

const CHART = 'charts/sealwright'
/** On a machine that does other things too. */
const PATIENCE = '420s'

const Dev = z.object({
  baseUrl: z.string(),
  orgId: z.string(),
  clientId: z.string(),
  clientSecret: z.string(),
  adminEmail: z.string(),
  adminPassword: z.string(),
})

export type ReleaseDev = z.infer<typeof Dev>

export interface Release {
  cluster: Cluster
  dev: ReleaseDev
  /** Arguments of `helm install` and `helm upgrade` behind the chart. Later values win. */
  values: readonly string[]
  /** Where this machine reaches its Postgres as the owner of the schema. */
  forwardDatabase: () => Promise<ForwardedDatabase>
  /** `helm upgrade` with these values in addition, until everything is ready. */
  upgrade(...args: readonly string[]): ReturnType<Cluster['helm']>
}

export interface ForwardedDatabase extends AsyncDisposable {
  url: string
}

async function forwardDatabase(cluster: Cluster): Promise<ForwardedDatabase> {
  const forwarded = await cluster.forward('pod/sealwright-postgres-0', 5432)
  const url = new URL((await cluster.readSecret('sealwright-evaluation'))['databaseUrl'] ?? '')
  url.host = `127.0.0.1:${forwarded.port}`
  return { url: url.href, [Symbol.asyncDispose]: () => forwarded[Symbol.asyncDispose]() }
}

/** Installs the release `sealwright` and waits until it is ready. */
export async function installEvaluation(namespace: string, chart = CHART, ...args: readonly string[]): Promise<Release> {
  const cluster = kindCluster(namespace)
  await cluster.createNamespace()
  const address = await cluster.exposeApi()
  const baseUrl = `http://${address.host}:${address.port}`
  const profile = ['--values', 'charts/sealwright/values-eval.yaml', '--set-string', `publicUrl=${baseUrl}`]
  const values = [...profile, ...cluster.testValues]
  const installed = await cluster.helm('install', 'sealwright', chart, ...values, ...args, '--wait', '--timeout', PATIENCE)
  expect([installed.exitCode, installed.stderr]).toEqual([0, expect.any(String)])
  await untilAccepting(address)
  const { 'dev.json': dev = '' } = await cluster.readSecret('sealwright-first-run')
  return {
    cluster,
    dev: Dev.parse(JSON.parse(dev)),
    values,
    forwardDatabase: () => forwardDatabase(cluster),
    upgrade: (...more) => cluster.helm('upgrade', 'sealwright', CHART, ...values, ...more, '--wait', '--timeout', PATIENCE),
  }
}
