// The control plane of a test run: built at once, started when a test file waits for it, and a failure reaches the file.
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startControlPlane } from '../../../hack/servers/kube-control-plane.ts'
import { kubeTool } from '../../../hack/servers/kube-tool.ts'
import { startKubeRun, untilKubeRuns } from '../../support/servers/kube-run.ts'

vi.mock('../../../hack/servers/kube-tool.ts')
vi.mock('../../../hack/servers/kube-control-plane.ts')

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'sealwright-kube-run-'))
})
afterEach(async () => {
  vi.resetAllMocks()
  await rm(dataDir, { recursive: true, force: true })
})

test('a failed build is the error of the files that wait', async () => {
  vi.mocked(kubeTool).mockRejectedValue(new Error('Building etcd requires Go 1.26.'))
  await using _ = startKubeRun(dataDir)
  await expect(untilKubeRuns(dataDir)).rejects.toThrow('The control plane did not start: Building etcd requires Go 1.26.')
  await expect(untilKubeRuns(dataDir)).rejects.toThrow('Building etcd requires Go 1.26.')
})

test('nothing is started when no file waits, and the end of the run waits for the build', async () => {
  const built = Promise.withResolvers<string>()
  vi.mocked(kubeTool).mockReturnValue(built.promise)
  const ended = startKubeRun(dataDir)[Symbol.asyncDispose]()
  expect(existsSync(dataDir)).toBe(true)
  built.resolve('')
  await ended
  expect(kubeTool).toHaveBeenCalledWith('kube-apiserver', { isUrgent: false })
  expect(startControlPlane).not.toHaveBeenCalled()
  expect(existsSync(dataDir)).toBe(false)
})

test('it is started for the first file that waits', async () => {
  vi.mocked(kubeTool).mockResolvedValue('')
  vi.mocked(startControlPlane).mockRejectedValue(new Error('kube-apiserver did not start: a log line'))
  await using _ = startKubeRun(dataDir)
  await vi.waitFor(() => expect(kubeTool).toHaveBeenCalledTimes(3))
  expect(startControlPlane).not.toHaveBeenCalled()
  await expect(untilKubeRuns(dataDir)).rejects.toThrow('kube-apiserver did not start: a log line')
  expect(startControlPlane).toHaveBeenCalledWith({ dataDir })
})
