// `helm upgrade` that replaces every pod while clients create and sign envelopes: no request fails, and every seal is made once.
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { installEvaluation, type Release } from '../../support/clients/kind-release.ts'
import { signSteadily } from '../../support/clients/steady-envelopes.ts'
import { pdfFixture } from '../../support/builders/pdf-fixtures.ts'
import { assertSealedOnce } from '../../support/invariants/sealed-in-release.ts'

const COMPONENTS = ['api', 'worker', 'relay', 'controller']

let release: Release
beforeAll(async () => {
  release = await installEvaluation('kind-rolling-update')
})
afterAll(() => release.cluster.deleteNamespace())

interface Pods {
  items: { metadata: { uid: string; labels: Record<string, string> } }[]
}
/** The pods of our components. */
async function podUids(): Promise<string[]> {
  const { items } = await release.cluster.read<Pods>('pods')
  const ours = items.filter(({ metadata }) => COMPONENTS.includes(metadata.labels['app.kubernetes.io/component'] ?? ''))
  return ours.map(({ metadata }) => metadata.uid)
}

test('an upgrade with other pod annotations fails no request, and each envelope is sealed once', async () => {
  const before = await podUids()
  const clients = signSteadily(release.dev, await readFile(pdfFixture('libreoffice.pdf')))
  const annotations = COMPONENTS.flatMap((name) => ['--set-string', `${name}.podAnnotations.example\\.com/round=2`])
  const upgraded = await release.upgrade(...annotations)
  // Helm does not wait for pods that still finish their work.
  await expect.poll(async () => (await podUids()).filter((uid) => before.includes(uid)), { timeout: 60_000 }).toEqual([])
  const { signed, failures } = await clients.stop()
  console.log(`${signed.length} envelopes signed, ${failures.length} requests failed`)
  expect([upgraded.exitCode, failures]).toEqual([0, []])
  expect(signed.length).toBeGreaterThan(20)
  await assertSealedOnce(release, signed)
})
