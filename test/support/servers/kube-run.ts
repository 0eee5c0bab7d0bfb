// The control plane of the test run, built and started in the background: vitest sets all projects up before the first test, and the first build on a
// machine takes minutes of both processors. Test files and the set-up are different processes, which communicate by files of the control plane's folder.
import { existsSync, readFileSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openKube } from '#core/platform/kubernetes/open-kube.ts'
import { type ControlPlane, startControlPlane } from '../../../hack/servers/kube-control-plane.ts'
import { applyCustomResources } from '../../../hack/servers/kube-setup.ts'
import { kubeTool } from '../../../hack/servers/kube-tool.ts'

/** The slowest build measured took 5 minutes. */
const READY_WITHIN_MS = 20 * 60_000
const POLL_MS = 100

const wantedFile = (dataDir: string) => path.join(dataDir, 'wanted')
/** Holds why the start failed; empty when it did not. */
const startedFile = (dataDir: string) => path.join(dataDir, 'started')

/** Builds the programs at once and starts the control plane for the first file that waits for it. Disposing stops it and deletes its folder. */
export function startKubeRun(dataDir: string): AsyncDisposable {
  const stop = new AbortController()
  const running = buildAndStart(dataDir, stop.signal)
  const reported = running.then(
    () => report(dataDir, ''),
    (error: unknown) => report(dataDir, error instanceof Error ? error.message : String(error)),
  )
  return {
    async [Symbol.asyncDispose]() {
      stop.abort()
      await reported
      const plane = await running.catch(() => undefined)
      await plane?.stop()
      await rm(dataDir, { recursive: true })
    },
  }
}

async function buildAndStart(dataDir: string, signal: AbortSignal): Promise<ControlPlane | undefined> {
  for (const name of ['kubectl', 'etcd', 'kube-apiserver'] as const) await kubeTool(name, { isUrgent: false })
  // Until then it would only take time from other layers.
  while (!existsSync(wantedFile(dataDir)) && !signal.aborted) await delay(POLL_MS)
  if (signal.aborted) return undefined
  const plane = await startControlPlane({ dataDir })
  await using kube = await openKube({ kubeconfig: plane.kubeconfig })
  await applyCustomResources(kube.requests)
  return plane
}

/** Complete when it appears. */
async function report(dataDir: string, fault: string): Promise<void> {
  await writeFile(`${startedFile(dataDir)}.new`, fault)
  await rename(`${startedFile(dataDir)}.new`, startedFile(dataDir))
}

/** In a test file: resolves when the control plane of the run is ready. Throws why it did not start. */
export async function untilKubeRuns(dataDir: string): Promise<void> {
  await writeFile(wantedFile(dataDir), '')
  for (let waitedMs = 0; !existsSync(startedFile(dataDir)); waitedMs += POLL_MS) {
    if (waitedMs >= READY_WITHIN_MS) throw new Error('The control plane did not start in time.')
    await delay(POLL_MS)
  }
  const fault = readFileSync(startedFile(dataDir), 'utf8')
  if (fault) throw new Error(`The control plane did not start: ${fault}`)
}
