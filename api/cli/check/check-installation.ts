// The whole way of an envelope through an installation, as its users go it: over HTTP, with an organisation that exists for this check alone.
import { readMailSender } from '#core/platform/config/forms.ts'
import { readConfig } from '../../config.ts'
import { Email } from '../../schemas/text.ts'
import { withDatabase } from '../connect.ts'
import { openCheckAccess } from './access.ts'
import { Ceremony } from './ceremony.ts'
import { ServiceClient } from './client.ts'
import { drawnSignature } from './drawn-signature.ts'
import { samplePdf } from './sample-pdf.ts'
import { verifySealed } from './verify-sealed.ts'
import { openWatchedWebhook, type WatchedWebhook } from './watched-webhook.ts'

export interface CheckOptions {
  /** Where this machine reaches the API. */
  api: string
  email?: string
  receiver?: string
  receiverCertificate?: string
}

/** Tells each step that has succeeded. Throws one sentence for the first that fails. What it created is revoked or deleted; the signed envelope stays. */
export async function checkInstallation(options: CheckOptions, report: (step: string) => void): Promise<void> {
  await withDatabase(async (core) => {
    await using access = await openCheckAccess(core)
    report(`organisation ${access.orgId}`)
    const baseUrl = options.api.replace(/(?<!\/)\/+$/, '')
    const { clientId, clientSecret } = access
    const client = await ServiceClient.open({ baseUrl, tokenUrl: `${baseUrl}/oauth2/token`, clientId, clientSecret })
    await using webhook = await openWebhook(options, { baseUrl, ...access })
    const envelopeId = await signOne(client, { baseUrl, email: options.email ?? senderAddress() }, report)
    await verifySealed(core, { access, envelopeId }, report)
    if (webhook) report(`received ${await webhook.received(envelopeId)}, signature valid`)
    else report('webhook not checked: no --receiver')
  })
}

async function openWebhook(
  { receiver, receiverCertificate }: CheckOptions,
  access: { baseUrl: string; adminEmail: string; adminPassword: string },
): Promise<WatchedWebhook | undefined> {
  if (receiver === undefined) return undefined
  if (receiverCertificate === undefined) throw new Error('--receiver needs --receiver-certificate.')
  return openWatchedWebhook({ url: new URL(receiver), certificateFile: receiverCertificate, ...access })
}

/** An address that accepts mail, where mail is sent at all. */
function senderAddress(): string {
  const sender = Email.safeParse(readMailSender(readConfig().mailFrom)?.address)
  return sender.data ?? 'signer@installation-check.invalid'
}

async function signOne(
  client: ServiceClient,
  { baseUrl, email }: { baseUrl: string; email: string },
  report: (step: string) => void,
): Promise<string> {
  const documentId = await client.upload(samplePdf(), 'installation-check.pdf')
  report('uploaded a document')
  const signers = [{ name: 'Installation check', email }]
  const envelopeId = await client.createEnvelope({
    title: 'Installation check',
    signers,
    documentIds: [documentId],
    otpRequired: false,
  })
  for (const { signingUrl } of await client.send(envelopeId)) {
    // The public address may not be reachable from here.
    const { pathname } = new URL(signingUrl)
    await new Ceremony(client, baseUrl + pathname, email).run(drawnSignature(0))
  }
  report(`signed the envelope ${envelopeId}`)
  return envelopeId
}
