// One suite of an envelope's life as users see it, over HTTP, email and downloads, for any way to start the installation.
import { afterAll, beforeAll, describe } from 'vitest'
import type { Installation } from '../support/servers/installations.ts'
import { describeCodes } from './codes.ts'
import { describeDocuments } from './documents.ts'
import { describeEnding } from './ending.ts'
import { describePublicEndpoints } from './public-endpoints.ts'
import { describePanel } from './panel.ts'
import { describeBrowserSigning } from './browser-signing.ts'
import { describeReading } from './reading.ts'
import { describeSigning } from './signing.ts'

/** Starts an installation, runs the whole suite and stops it. */
export function describeInstallation(name: string, start: () => Promise<Installation>): void {
  let running: Installation
  beforeAll(async () => {
    running = await start()
  })
  afterAll(() => running[Symbol.asyncDispose]())
  const installation = () => running

  // Concurrent, because its tests mostly wait for emails, seals and time to pass.
  describe.concurrent(name, () => {
    describeBrowserSigning(installation)
    describeSigning(installation)
    describeCodes(installation)
    describeEnding(installation)
    describeDocuments(installation)
    describeReading(installation)
    describePanel(installation)
    describePublicEndpoints(installation)
  })
}
