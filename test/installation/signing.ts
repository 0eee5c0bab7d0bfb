// From draft to sealed copy: parallel and sequential signing, and rejected requests on the way.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { verifyPdf } from '#core/pades/verify-pdf.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { clientWithToken } from '../support/clients/api-client.ts'
import type { Installation } from '../support/servers/installations.ts'
import { judgeWithPdfsig } from '../support/judges/pdfsig.ts'
import { pdfFixture } from '../support/builders/pdf-fixtures.ts'
import { pdfText } from '../support/judges/pdf-text.ts'
import { signer } from '../support/clients/signer.ts'
import { trustAnchor } from './trust-anchor.ts'
import {
  aPersonNamed,
  aSentEnvelope,
  aWorkspace,
  download,
  signAs,
  signersOf,
  statusOf,
  untilSealed,
  type Workspace,
} from './workspace.ts'

const LINK = /\/sign\/([A-Za-z0-9_-]{43})/
const NOTICE = /Everyone has signed/

/** `installation` is called when the tests run. */
export function describeSigning(installation: () => Installation): void {
  describe('signing', () => {
    let workspace: Workspace
    let original: Buffer
    beforeAll(async () => {
      original = await readFile(pdfFixture('libreoffice.pdf'))
      workspace = await aWorkspace(installation())
    })

    test('three signers in parallel: each gets a link by email, and all get the same sealed copy', async () => {
      const { client, id: workspaceId } = workspace
      const signers = ['Ada Tenant', 'Ben Landlord', 'Çağla Zeugin'].map(aPersonNamed)
      const { body: document } = await client.upload('/api/v1/documents', original, { name: 'Mietvertrag für Straße 1.pdf' })
      const draft = { title: 'Lease', message: 'Please sign.', signers, documentIds: [document.id], workspaceId }
      const { status, body: envelope } = await client.post('/api/v1/envelopes', draft)
      expect([status, envelope.status, envelope.documentCount]).toEqual([201, 'DRAFT', 1])
      const sent = await client.post(`/api/v1/envelopes/${envelope.id}/send`)
      expect([sent.status, await statusOf(workspace, envelope.id)]).toEqual([200, 'SENT'])

      for (const [index, { token, signingUrl, email }] of sent.body.signingTokens.entries()) {
        const mail = await installation().mailbox.awaitMail(email, LINK)
        expect([signingUrl, LINK.exec(mail.text)?.[1]]).toEqual([`${installation().baseUrl}/sign/${token}`, token])
        expect(mail.html).toContain(signingUrl)
        const { body: view } = await signer(installation().baseUrl, token).open()
        expect(view).toMatchObject({ envelopeTitle: 'Lease', signerName: signers[index]!.name, alreadySigned: false })
        expect((await download(view.documents[0].downloadUrl)).equals(original)).toBe(true)
        expect((await signAs(installation(), token)).completed).toBe(index === 2)
        expect(await statusOf(workspace, envelope.id)).toBe(index === 2 ? 'COMPLETED' : 'IN_PROGRESS')
      }

      const [copy] = await untilSealed(workspace, envelope.id)
      const sealed = await download(copy!.signedUrl)
      expect((await download(copy!.downloadUrl)).equals(original)).toBe(true)
      await assertSealed(sealed, original)
      await assertConfirmed(sealed, envelope.id, signers)
      for (const { token, email } of sent.body.signingTokens) {
        const { body: own } = await signer(installation().baseUrl, token).signedCopy()
        expect(own).toMatchObject({ signedDocumentsReady: true, archived: false, envelopeTitle: 'Lease' })
        expect((await download(own.documents[0].signedDownloadUrl)).equals(sealed)).toBe(true)
        const notice = await installation().mailbox.awaitMail(email, NOTICE)
        expect(notice.subject).toBe('Completed: Lease')
        const { body: again } = await signer(installation().baseUrl, LINK.exec(notice.text)![1]!).signedCopy()
        expect((await download(again.documents[0].signedDownloadUrl)).equals(sealed)).toBe(true)
      }
    })

    test('sequential: a later signer gets an email and an open link once the previous one has signed', async () => {
      const signers = ['Ada Tenant', 'Ben Landlord'].map(aPersonNamed)
      const { id, tokens } = await aSentEnvelope(workspace, { signers, sequentialSigning: true })
      const [ada, ben] = tokens
      await installation().mailbox.awaitMail(ada!.email, LINK)
      expect(await signersOf(workspace, id)).toEqual(['SENT', 'PENDING'])
      expect((await signer(installation().baseUrl, ben!.token).open()).status).toBe(404)
      expect((await signer(installation().baseUrl, ben!.token).sign()).body.code).toBe('NOT_YOUR_TURN')
      expect(await installation().mailbox.mailsTo(ben!.email)).toEqual([])
      await signAs(installation(), ada!.token)
      expect(LINK.exec((await installation().mailbox.awaitMail(ben!.email, LINK)).text)?.[1]).toBe(ben!.token)
      expect(await signersOf(workspace, id)).toEqual(['SIGNED', 'SENT'])
      expect((await signAs(installation(), ben!.token)).completed).toBe(true)
      expect(await signersOf(workspace, id)).toEqual(['SIGNED', 'SIGNED'])
    })

    test('accepts a signature after the documents were opened, once, and shows the copy when all have signed', async () => {
      const { id, tokens } = await aSentEnvelope(workspace, { signers: ['Ada Tenant', 'Ben Landlord'].map(aPersonNamed) })
      const [ada, ben] = tokens.map(({ token }) => signer(installation().baseUrl, token))
      const early = await ada!.sign()
      expect([early.status, early.body.code]).toEqual([422, 'VIEW_REQUIRED'])
      expect((await ada!.viewOpened()).status).toBe(204)
      expect(await signersOf(workspace, id)).toEqual(['VIEWED', 'SENT'])
      expect((await ada!.viewClosed({ durationMs: 1_200 })).status).toBe(204)
      const noPng = await ada!.sign({ signatureImage: 'bm90IGEgUE5H' })
      expect([noPng.status, noPng.body.code]).toEqual([422, 'SIGNATURE_IMAGE_INVALID'])
      expect((await ada!.sign()).body).toMatchObject({ completed: false, signedDocumentUrls: {} })
      expect((await ada!.sign()).body.code).toBe('ALREADY_SIGNED')
      expect((await ada!.open()).body.alreadySigned).toBe(true)
      expect((await ben!.signedCopy()).status).toBeGreaterThanOrEqual(400)
      expect((await signer(installation().baseUrl, 'A'.repeat(43)).open()).body.code).toBe('SIGNING_LINK_NOT_FOUND')
    })

    /** The sealed copy extends the original, and our verifier and poppler confirm the seal. */
    async function assertSealed(sealed: Buffer, original: Buffer): Promise<void> {
      expect(sealed.subarray(0, original.length).equals(original)).toBe(true)
      const trust = [await trustAnchor(workspace.admin)]
      expect(verifyPdf(sealed, { trust })).toMatchObject({ valid: true, trusted: true })
      const folder = await mkdtemp(path.join(tmpdir(), 'sealwright-judge-'))
      await writeFile(path.join(folder, 'sealed.pdf'), sealed)
      const judged = await judgeWithPdfsig(path.join(folder, 'sealed.pdf'))
      await rm(folder, { recursive: true, force: true })
      expect(judged).toMatchObject([{ valid: true, wholeDocument: true }])
    }

    /** Each seal in the copy has an ID and a code with which the public check names its signer. */
    async function assertConfirmed(
      sealed: Buffer,
      envelopeId: string,
      signers: { name: string; email: string }[],
    ): Promise<void> {
      const text = await pdfText(sealed)
      const ids = [...new Set(text.match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g))]
      const codes = [...new Set(text.match(/(?<![\w-])[\w-]{22}(?![\w-])/g))]
      const anonymous = clientWithToken(installation().baseUrl)
      const answers = await Promise.all(
        ids.flatMap((id) => codes.map(async (h) => (await anonymous.get(`/api/v1/verify?id=${id}&h=${h}`)).body)),
      )
      const confirmed = answers.filter(({ valid }) => valid).map((each) => [each.envelopeId, each.signerEmail, each.signerName])
      expect(new Set(confirmed)).toEqual(new Set(signers.map(({ name, email }) => [envelopeId, email, name])))
    }
  })
}
