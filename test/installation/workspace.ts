// Every part of the suite has its own workspace, created by an admin: parts run concurrently and do not see each other's envelopes.
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type ApiClient, apiClient } from '../support/clients/api-client.ts'
import { type EnvelopeOverrides, aSentEnvelope as aSentEnvelopeOf, type SentToken } from '../support/builders/envelopes.ts'
import type { Installation } from '../support/servers/installations.ts'
import { type PanelClient, panelClient } from '../support/clients/panel-client.ts'
import { signer } from '../support/clients/signer.ts'

const PERMISSIONS = ['envelope:create', 'envelope:send', 'envelope:cancel', 'document:download']
const SEALED_WITHIN_MS = 60_000
const POLL_MS = 200

export interface Workspace {
  id: string
  client: ApiClient
  /** The credential's id, as the audit trail names it. */
  clientId: string
  admin: PanelClient
}

/** A new workspace with a credential that has all permissions in it. */
export async function aWorkspace(installation: Installation): Promise<Workspace> {
  const admin = await anAdmin(installation)
  const created = await admin.post('/workspaces', { name: `Suite ${randomUUID()}` })
  if (created.status !== 201) throw new Error(`No workspace: ${created.status} ${JSON.stringify(created.body)}`)
  const { id } = created.body
  const credential = await aCredential(admin, id, PERMISSIONS)
  return { id, admin, clientId: credential.clientId, client: await apiClient(installation.baseUrl, credential) }
}

/** A new credential with these permissions in one workspace. */
export async function aCredential(
  admin: PanelClient,
  workspaceId: string,
  permissions: string[],
): Promise<{ id: string; clientId: string; clientSecret: string }> {
  const { status, body } = await admin.post('/credentials', { name: 'Suite', workspaces: [{ workspaceId, permissions }] })
  if (status !== 201) throw new Error(`No credential: ${status} ${JSON.stringify(body)}`)
  return body
}

/** The admin, signed in to the panel. */
export async function anAdmin({ baseUrl, adminEmail, adminPassword }: Installation): Promise<PanelClient> {
  const admin = panelClient(baseUrl)
  const { status } = await admin.signIn(adminEmail, adminPassword)
  if (status !== 200) throw new Error(`The admin could not sign in: ${status}`)
  return admin
}

/** A signer with a unique address. */
export function aPersonNamed(name: string): { name: string; email: string } {
  return { name, email: `${name.split(' ')[0]!.toLowerCase()}-${randomUUID()}@example.test` }
}

/** A sent envelope of this workspace; the caller names its signers. */
export function aSentEnvelope(
  { client, id: workspaceId }: Workspace,
  overrides: EnvelopeOverrides & { signers: { name: string; email: string }[] },
): Promise<{ id: string; tokens: SentToken[] }> {
  return aSentEnvelopeOf(client, { workspaceId, ...overrides })
}

export async function statusOf({ client }: Workspace, envelopeId: string): Promise<string> {
  return (await client.get(`/api/v1/envelopes/${envelopeId}`)).body.status
}

/** The signers' statuses, in order. */
export async function signersOf({ client }: Workspace, envelopeId: string): Promise<string[]> {
  const { body } = await client.get(`/api/v1/envelopes/${envelopeId}`)
  return body.signers.map(({ status }: { status: string }) => status)
}

/** Opens the documents and signs; returns the result. Throws unless the signature is accepted. */
export async function signAs({ baseUrl }: Installation, token: string) {
  const person = signer(baseUrl, token)
  const viewed = await person.viewOpened()
  if (viewed.status !== 204) throw new Error(`Not viewed: ${viewed.status} ${JSON.stringify(viewed.body)}`)
  const signed = await person.sign()
  if (signed.status !== 200) throw new Error(`Not signed: ${signed.status} ${JSON.stringify(signed.body)}`)
  return signed.body
}

/** Waits until each document of an envelope has its sealed copy, and returns the documents. */
export async function untilSealed(
  { client }: Workspace,
  envelopeId: string,
): Promise<{ id: string; filename: string; downloadUrl: string; signedUrl: string }[]> {
  for (const startedAt = performance.now(); performance.now() - startedAt < SEALED_WITHIN_MS;) {
    const { body } = await client.get(`/api/v1/envelopes/${envelopeId}/documents`)
    if (body.every(({ signedUrl }: { signedUrl: string | null }) => signedUrl !== null)) return body
    await delay(POLL_MS)
  }
  throw new Error('The envelope was never sealed.')
}

/** Downloads a presigned URL without a token. Throws unless it exists. */
export async function download(url: string): Promise<Buffer> {
  const response = await fetch(url)
  if (response.status !== 200) throw new Error(`No download: ${response.status}`)
  return Buffer.from(await response.arrayBuffer())
}
