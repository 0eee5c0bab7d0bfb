// `npm run demo`: sends a real PDF to two signers with one-time codes, against the running service, prints the events that a webhook gets, and saves the
// sealed PDF.
import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { Ceremony } from '../api/cli/check/ceremony.ts'
import { ServiceClient } from '../api/cli/check/client.ts'
import { drawnSignature } from '../api/cli/check/drawn-signature.ts'
import { DemoWebhook } from './demo/webhook.ts'

const Dev = z.object({
  baseUrl: z.string(),
  tokenUrl: z.string(),
  clientId: z.string(),
  clientSecret: z.string(),
  settingsUrl: z.string(),
  mailboxUrl: z.string(),
  adminEmail: z.string(),
  adminPassword: z.string(),
  webhooksUrl: z.string().optional(),
})

const SIGNERS = [
  { name: 'Ada Tenant', email: 'ada@example.test' },
  { name: 'Ben Landlord', email: 'ben@example.test' },
]

async function main(): Promise<void> {
  const dataDir = process.env['SEALWRIGHT_DATA_DIR'] ?? '.sealwright'
  const dev = Dev.parse(JSON.parse(await readDevJson(dataDir)))
  const client = await ServiceClient.open(dev)
  const webhook = dev.webhooksUrl ? await DemoWebhook.open({ ...dev, webhooksUrl: dev.webhooksUrl }) : undefined
  const envelopeId = await createEnvelope(client)
  const arrived = webhook?.printEvents(envelopeId)
  for (const [index, { signingUrl, name, email }] of (await client.send(envelopeId)).entries()) {
    await new Ceremony(client, signingUrl, email).run(drawnSignature(index))
    console.log(`${name} has signed`)
  }
  await saveSealed(client, envelopeId)
  await arrived
}

async function readDevJson(dataDir: string): Promise<string> {
  try {
    return await readFile(path.join(dataDir, 'dev.json'), 'utf8')
  } catch (error) {
    throw new Error('The service is not running. Start it with npm start, then run the demo in another terminal.', {
      cause: error,
    })
  }
}

async function createEnvelope(client: ServiceClient): Promise<string> {
  const pdf = await readFile(new URL('../test/fixtures/pdfs/libreoffice.pdf', import.meta.url))
  const documentId = await client.upload(pdf, 'garden-lease.pdf')
  console.log(`uploaded garden-lease.pdf (${pdf.length} bytes)`)
  const envelopeId = await client.createEnvelope({
    title: 'Lease of a garden plot',
    signers: SIGNERS,
    documentIds: [documentId],
    otpRequired: true,
  })
  console.log(`created envelope ${envelopeId}`)
  return envelopeId
}

async function saveSealed(client: ServiceClient, envelopeId: string): Promise<void> {
  const sealed = await client.downloadSealed(envelopeId)
  const folder = path.resolve('demo')
  await mkdir(folder, { recursive: true })
  const file = path.join(folder, 'garden-lease-signed.pdf')
  await writeFile(file, sealed)
  const sha256 = createHash('sha256').update(sealed).digest('hex')
  console.log(`sealed: ${path.relative('.', file)} (${sealed.length} bytes, SHA-256 ${sha256})`)
  console.log(`verify: npx sealwright verify ${path.relative('.', file)}`)
}

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  if (process.connected) process.disconnect()
}
