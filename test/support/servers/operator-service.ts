// `npm run start:operator` as its user starts it, on free ports and a data folder of the test.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../../../hack/servers/free-port.ts'
import type { DevJson } from './running-service.ts'

const READY_WITHIN_MS = 180_000
const POLL_MS = 50

export interface OperatorDevJson extends DevJson {
  /** Of an administrator. */
  kubeconfig: string
  namespace: string
  kubectl: string
  pids: { api: number; worker: number; controller: number }
}

export interface OperatorService {
  dev: OperatorDevJson
  /** What dev.json says now. */
  readDev(): Promise<OperatorDevJson>
  output(): string
  /** Sends SIGTERM; returns the exit code. */
  stop(): Promise<number | null>
  /** SIGKILL to the process that started everything. */
  kill(): Promise<void>
}

/** Starts on `dataDir`; accepts requests when it resolves. */
export async function startOperatorService(
  dataDir: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<OperatorService> {
  const devJson = path.join(dataDir, 'dev.json')
  await rm(devJson, { force: true })
  const child = spawn(process.execPath, ['hack/operator/main.ts'], {
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: 'node_modules/.compile-cache',
      SEALWRIGHT_DATA_DIR: dataDir,
      SEALWRIGHT_PORT: String(await freePort()),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const exited = once(child, 'exit')
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    child.kill(signal)
    await exited
    return child.exitCode
  }
  const readDev = async (): Promise<OperatorDevJson> => JSON.parse(await readFile(devJson, 'utf8'))
  for (let waitedMs = 0; !output.includes('Sealwright is ready'); waitedMs += POLL_MS) {
    if (child.exitCode !== null) throw new Error(`start:operator ended:\n${output}`)
    if (waitedMs < READY_WITHIN_MS) {
      await delay(POLL_MS)
      continue
    }
    await end('SIGTERM')
    throw new Error(`start:operator was not ready in time:\n${output}`)
  }
  return {
    dev: await readDev(),
    readDev,
    output: () => output,
    stop: () => end('SIGTERM'),
    kill: async () => void (await end('SIGKILL')),
  }
}
