// Global set-up of projects with NATS: one real server with JetStream for the run.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startNatsServer } from '../../../hack/servers/nats-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    natsUrl: string
  }
}

export default async function startNats(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sealwright-nats-'))
  const server = await startNatsServer({ dataDir })
  project.provide('natsUrl', server.url)
  return async () => {
    await server.stop()
    await rm(dataDir, { recursive: true })
  }
}
