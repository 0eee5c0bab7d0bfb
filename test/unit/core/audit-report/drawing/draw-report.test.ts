// What an audit report shows, on how many pages, and what can be copied from it.
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { describe, expect, it } from 'vitest'
import { drawAppearance } from '#core/appearance/draw-seal-page.ts'
import { drawReport } from '#core/audit-report/drawing/draw-report.ts'
import { writePng } from '#core/png/write-png.ts'
import { anAuditReport, aReportedSigner, aReportEvent } from '../../../../support/builders/audit-report.ts'

const SEAL = {
  signerName: 'Ada Signer',
  signerEmail: 'ada.seal@example.test',
  organisationName: 'Garden Lettings',
  signedAt: new Date('2026-11-21T14:05:07Z'),
  signatureId: '6f1f2c1e-7a52-4c0b-9d0e-0d6f0c7b1a01',
  verificationCode: 'Zk3vY1q0m7R2bQ9sT4uW8x',
  verifyUrl: 'https://sign.example.test/verify?id=6f1f2c1e-7a52-4c0b-9d0e-0d6f0c7b1a01&h=Zk3vY1q0m7R2bQ9sT4uW8x',
  imagePng: writePng({ width: 40, height: 20, pixels: Buffer.alloc(40 * 20 * 4, 'ff000080', 'hex') }),
}

interface Page {
  text: string
  items: { text: string; x: number; y: number }[]
}

/** The pages as pdf.js reads them. */
async function read(pdf: Uint8Array): Promise<Page[]> {
  const task = getDocument({ data: new Uint8Array(pdf), useSystemFonts: false, verbosity: 0 })
  try {
    const document = await task.promise
    return await Promise.all(
      Array.from({ length: document.numPages }, async (_, index) => {
        const { items } = await (await document.getPage(index + 1)).getTextContent()
        const pieces = items.filter((item) => 'str' in item).filter(({ str }) => str.trim() !== '')
        return {
          text: pieces.map(({ str }) => str).join(' '),
          items: pieces.map(({ str, transform }) => ({ text: str, x: transform[4], y: transform[5] })),
        }
      }),
    )
  } finally {
    await task.destroy()
  }
}

describe('an audit report', () => {
  it('names the envelope, says that the trail is intact, who signed, and both hashes of every document', async () => {
    const report = anAuditReport({})
    const pages = await read(await drawReport(report))
    const [page] = pages
    const text = pages.map((each) => each.text).join(' ')
    const { organisation, envelope, signers, documents } = report
    expect(page!.text).toContain(`Audit trail · ${organisation}`)
    expect(page!.text).toContain(`Requested by ${organisation}`)
    for (const said of [envelope.title, envelope.id, 'Completed', 'The audit trail is intact']) expect(page!.text).toContain(said)
    for (const { name, email } of signers) expect(page!.text).toMatch(new RegExp(`${name}.*${email}`))
    for (const { name, sha256 } of documents) expect(text).toMatch(new RegExp(`${name}.*${sha256}`))
    expect(text).toContain(documents[0]!.sealedSha256!)
    expect(text).toContain('No sealed copy')
  })

  it('has every entry with number, time in UTC, actor and action, and ends with the head and how to check it', async () => {
    const events = Array.from({ length: 3 }, (_, index) => aReportEvent({ seq: index + 1, what: `Step ${index + 1}.` }))
    const report = anAuditReport({ events })
    const text = (await read(await drawReport(report))).map((page) => page.text).join(' ')
    for (const { seq, what } of events)
      expect(text).toMatch(new RegExp(`\\b${seq} 2026-11-21 14:05:07.123456 Ada Signer ada@example.test ${what}`))
    expect(text).toContain(report.chain.headHash)
    expect(text).toContain(report.verifyUrl)
    expect(text).toContain('sealwright audit verify')
  })

  it('warns on its first page when the trail is not intact, naming the entry', async () => {
    const chain = { valid: false, rows: 3, headHash: 'ab'.repeat(32), firstBadSeq: 2 }
    const [page] = await read(await drawReport(anAuditReport({ chain })))
    expect(page!.text).toContain('The audit trail is not intact')
    expect(page!.text).toContain('Entry 2 was changed')
    expect(page!.text).not.toContain('The audit trail is intact')
  })

  it('numbers its pages, repeats the table head and never splits a row', async () => {
    const events = Array.from({ length: 80 }, (_, index) => aReportEvent({ seq: index + 1, what: `Step ${index + 1}.` }))
    const pages = await read(await drawReport(anAuditReport({ events })))
    expect(pages.length).toBeGreaterThan(4)
    for (const [index, page] of pages.entries()) expect(page.text).toContain(`Page ${index + 1} of ${pages.length}`)
    const withRows = pages.filter(({ text }) => /Step \d/.test(text))
    for (const page of withRows) expect(page.text).toContain('Time (UTC)')
    const rowsOfPages = pages.map(({ text }) => [...text.matchAll(/Step (\d+)\./g)].map(([, number]) => Number(number)))
    expect(rowsOfPages.flat()).toEqual(events.map(({ seq }) => seq))
    // A row's number and its sentence are on one page.
    for (const { text } of withRows) {
      const numbers = [...text.matchAll(/(\d+) 2026-11-21 14:05:07\.123456/g)].map(([, number]) => Number(number))
      expect(numbers).toEqual([...text.matchAll(/Step (\d+)\./g)].map(([, number]) => Number(number)))
    }
  })

  it('stays within its margins for any text', async () => {
    const long = 'Donaudampfschifffahrtsgesellschaft'.repeat(8)
    const report = anAuditReport({
      envelope: { title: long },
      events: [aReportEvent({ who: long, as: `${long}@example.test`, what: long, by: long.repeat(2) })],
      documents: [{ name: `${long}.pdf`, sizeBytes: 1, sha256: 'ab'.repeat(32), uploadSha256: null, sealedSha256: null }],
    })
    for (const { items } of await read(await drawReport(report))) {
      for (const { x, y } of items) {
        expect(x).toBeGreaterThanOrEqual(47)
        expect(x).toBeLessThan(548)
        expect(y).toBeGreaterThan(40)
        expect(y).toBeLessThan(800)
      }
    }
  })

  it.each([
    ['Arabic', 'محمد بن عبد الله'],
    ['Japanese', '山田 太郎'],
    ['Cyrillic', 'Владимир Петров'],
    ['Vietnamese', 'Nguyễn Thị Minh Khai'],
    ['Korean', '김철수'],
    ['Tamil', 'கமலா'],
  ])('shows a signer with a name in %s script', async (_script, name) => {
    const signers = [aReportedSigner({ name, email: 'x@example.test', status: 'SENT', signedAt: null, signature: null })]
    const [page] = await read(await drawReport(anAuditReport({ signers })))
    const [, shown = ''] = /Signed 1 (.*) x@example\.test/.exec(page!.text) ?? []
    // pdf.js returns a name in parts, one for each font, and right-to-left text in visual order.
    const letters = (text: string) => Array.from(text.normalize('NFC').replaceAll(/\s/g, '')).toSorted()
    expect(letters(shown)).toEqual(letters(name))
  })

  it('is in German for a German organisation', async () => {
    const pages = await read(await drawReport(anAuditReport({ locale: 'de' })))
    const text = pages.map((page) => page.text).join(' ')
    for (const said of [
      'Prüfprotokoll · Garden Lettings',
      'Angefordert von Garden Lettings',
      'Das Prüfprotokoll ist unverändert',
      'Abgeschlossen',
      'Ereignisse',
      'Seite 1 von',
    ]) {
      expect(text).toContain(said)
    }
    expect(text).not.toMatch(/\b(Signers|Documents|Page|Entries|Envelope)\b/)
  })

  it('has no documents section without documents', async () => {
    const [page] = await read(await drawReport(anAuditReport({ documents: [] })))
    expect(page!.text).not.toMatch(/Documents File|SHA-256 Original/)
  })

  it.each([
    [
      'an emailed link and a code',
      {},
      ['Signing link: emailed 2026-11-21 13:50:00 UTC', 'code by email: entered 2026-11-21 13:58:11 UTC'],
    ],
    [
      'neither',
      { linkMailedAt: null, codeAcceptedAt: null },
      ['Signing link: no email recorded', 'One-time code by email: not entered'],
    ],
    [
      'documents that were opened',
      {},
      ['opened 2 times, first 2026-11-21 13:59:00 UTC', 'On screen for 1 min 15 s, as the browser'],
    ],
    ['documents that were opened once', { openings: 1, onScreenMs: null }, ['Documents: opened once, 2026-11-21 13:59:00 UTC']],
    ['documents that were not opened', { openings: 0, firstOpenedAt: null, onScreenMs: null }, ['Documents: not opened']],
  ])('says of a signer what is recorded about %s', async (_what, recorded, said) => {
    const [page] = await read(await drawReport(anAuditReport({ signers: [aReportedSigner(recorded)] })))
    for (const each of said) expect(page!.text).toContain(each)
    expect(page!.text.includes('On screen')).toBe(!('onScreenMs' in recorded))
    expect(page!.text).toContain('which pages were on screen is not')
  })

  it('has each signature as it is in the documents, and the sentence that the signer agreed to, with its version', async () => {
    const picture = await drawAppearance(SEAL)
    const signature = { ...aReportedSigner({}).signature!, picture }
    const [page] = await read(await drawReport(anAuditReport({ signers: [aReportedSigner({ signature })] })))
    for (const said of [SEAL.signerEmail, SEAL.verificationCode, 'Agreed to (version 1, English) By signing, I agree.'])
      expect(page!.text).toContain(said)
  })

  it('says what is not recorded or no longer there', async () => {
    const signature = { ...aReportedSigner({}).signature!, consent: null }
    const [page] = await read(await drawReport(anAuditReport({ signers: [aReportedSigner({ signature })] })))
    for (const said of ['The sentence that the signer agreed to is not recorded', 'The picture was deleted'])
      expect(page!.text).toContain(said)
  })

  it('shows the hash of an upload that was normalised', async () => {
    const document = { name: 'a.pdf', sizeBytes: 1, sha256: '01'.repeat(32), uploadSha256: '23'.repeat(32), sealedSha256: null }
    const text = (await read(await drawReport(anAuditReport({ documents: [document] })))).map((page) => page.text).join(' ')
    expect(text).toContain(`As uploaded ${document.uploadSha256} Original, normalised after the upload ${document.sha256}`)
  })

  it.each([
    ['DRAFT', 'Draft: not final'],
    ['COPY', 'Copy: not sealed'],
    ['FINAL', undefined],
  ] as const)('is marked on every page as what it is: %s', async (stage, mark) => {
    const events = Array.from({ length: 80 }, (_, index) => aReportEvent({ seq: index + 1 }))
    const pages = await read(await drawReport(anAuditReport({ stage, events })))
    expect(pages.length).toBeGreaterThan(4)
    for (const { text } of pages) {
      if (mark === undefined) expect(text).not.toMatch(/not final|not sealed/)
      else expect(text).toContain(mark)
    }
    const text = pages.map((page) => page.text).join(' ')
    expect(text.includes('every event up to entry 80')).toBe(stage === 'FINAL')
    expect(text.includes('sealwright verify report.pdf')).toBe(stage === 'FINAL')
  })

  it('is the same file for the same report', async () => {
    expect(await drawReport(anAuditReport({}))).toEqual(await drawReport(anAuditReport({})))
  })
})
