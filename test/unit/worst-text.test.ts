// Text of documents and users that is worst for the expressions which read it: 1 MB each. hack/lint/linear-expressions.mjs finds expressions that are
// slow on one repeated character; here are longer repetitions too, and what surrounds the expressions.
import type { Request } from 'express'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { runInNewContext } from 'node:vm'
import { beforeAll, describe, test } from 'vitest'
import { claimedIssuer } from '#core/account/credential/peek-token.ts'
import { assertGoodPassword } from '#core/account/person/rules.ts'
import { splitGraphemes } from '#core/appearance/shape-text.ts'
import { checkLabels } from '#core/envelope/labels.ts'
import { toFailure } from '#core/mail/smtp-failure.ts'
import { readAuditHead } from '#core/pades/audit-head.ts'
import { readPemCertificates } from '#core/pades/certificate.ts'
import { newSelfSignedKey } from '#core/pades/self-signed-key.ts'
import { parsePdfDate } from '#core/pades/verify/pdf-date.ts'
import { PDF_LIMITS, newBudget } from '#core/pdf/budget.ts'
import { decodeAsciiHex } from '#core/pdf/filters/ascii.ts'
import { unitOf } from '#core/pdf/inspect/marker-units.ts'
import { escapedBytes, hexBytes, nameText, numberValue } from '#core/pdf/inspect/token-value.ts'
import { readType1Encoding } from '#core/pdf/inspect/type1-encoding.ts'
import { checkFileOrder } from '#core/pdf/normalise/check-file-order.ts'
import { isFormatScript } from '#core/pdf/plan/format-scripts.ts'
import { readEnds } from '#core/pdf/read/header.ts'
import { bufferSource } from '#core/pdf/read/byte-source.ts'
import { readValue } from '#core/pdf/read/parser.ts'
import { stringBytes } from '#core/pdf/read/text-string.ts'
import { hiddenStructure } from '#core/pdf/revisions/hidden-structure.ts'
import { listSignatures } from '#core/pades/signatures/list-signatures.ts'
import { attachmentDisposition } from '#core/platform/storage/attachment.ts'
import { toVisibleLine } from '#core/platform/text/visible-text.ts'
import { parseTargetUrl } from '#core/webhook/address/target-url.ts'
import { isSignatureValid } from '#core/webhook/verify-signature.ts'
import { clientInfoOf } from '../../api/http/auth/client-info.ts'
import { readCookie } from '../../api/http/auth/session-cookie.ts'
import { checkFilename } from '../../api/http/body/check-filename.ts'
import { hostNamesOf } from '../../api/http/middleware/host-names.ts'
import { redactPath } from '../../api/http/middleware/redact-path.ts'
import { deviceName } from '../../api/pages/settings/envelopes/device-name.ts'
import { emailError } from '../../api/pages/settings/forms/field-rules.ts'
import { certificateName } from '../../api/pages/settings/signing-keys/certificate-name.ts'
import { findRevisionEnds } from '../../api/pages/verify/earlier-revisions.ts'
import { findPrintedCodes, findSignatureIds } from '../../api/pages/verify/verify-input.ts'
import { readTokenRequest } from '../../api/routes/token/read-token-request.ts'
import { ListEnvelopesQuery } from '../../api/schemas/envelope-list.ts'
import { Email, Instant, Name } from '../../api/schemas/text.ts'
import { CreateWebhookBody } from '../../api/schemas/webhook.ts'
import { redact } from '../../controller/kubectl/bundle/redact.ts'
import { simplePdf } from '../support/builders/pdf-builder.ts'
import { openBytes } from '../support/judges/open-pdf.ts'
import { revised } from './core/pades/forgeries.ts'
import { SEALED_AT } from './core/pades/sealed-file.ts'
import { catalog, changesOf, page, signedDocument, stream } from './core/pades/signatures/signed-document.ts'

const BYTES = 1_000_000
/** Most take a few milliseconds; quadratic time is minutes. Real time, on a machine that does other work. */
const LIMIT_MS = 5000

/** 1 MB of this text again and again, between two others. */
function filled(text: string, before = '', after = ''): string {
  return before + text.repeat(Math.ceil(BYTES / text.length)) + after
}

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1')
const read = (text: string) => readValue({ bytes: bytes(text), whole: true, at: 0, valuesLeft: 1000, nesting: 10 })

function readString(text: string): Buffer {
  const value = read(text)
  if (value.kind !== 'string') throw new Error('it is not a string')
  return stringBytes(value)
}

/** A token, as the interpreter of page content reads it. */
const token = (read: (bytes: Buffer, start: number, end: number) => unknown, text: string) => read(bytes(text), 0, text.length)

let plain: Buffer
beforeAll(async () => {
  plain = signedDocument(await newSelfSignedKey({ commonName: 'Seal', organisation: 'House', now: SEALED_AT }))
})

/** What the comparison of revisions says of a later signature field that shows this content. */
function areas(content: string): unknown {
  const widget = '<</Type/Annot/Subtype/Widget/FT/Sig/T(b)/Rect[0 0 80 20]/P 3 0 R/F 132/AP<</N 21 0 R>>>>'
  const objects: [number, string][] = [
    [1, catalog('', '6 0 R 7 0 R 10 0 R 20 0 R')],
    [3, page('', '6 0 R 7 0 R 9 0 R 10 0 R 20 0 R')],
    [20, widget],
    [21, stream('/Subtype/Form/BBox[0 0 80 20]/Resources<</XObject<<>>>>', content)],
  ]
  return changesOf(revised(plain, new Map(objects)))
}

function hidden(text: string): unknown {
  return hiddenStructure(bufferSource(Buffer.from(text, 'latin1')), 0, new Set())
}

/** The signatures of a document whose signature field has these /Contents. */
function signatures(contents: string): unknown {
  const field = '<</Type/Annot/Subtype/Widget/FT/Sig/T(a)/Rect[0 0 0 0]/P 3 0 R/V 7 0 R>>'
  const dict = `<</Type/Sig/Filter/X/SubFilter/Y/ByteRange[0 9 ${BYTES} 9]/Contents ${contents}>>`
  return listSignatures(openBytes(simplePdf({ catalog: '/AcroForm<</Fields[6 0 R]>>', objects: [field, dict] })))
}

function requestWith(headers: Record<string, string>, url = '/'): Request {
  const request = Object.assign(new IncomingMessage(new Socket()), { headers, url, originalUrl: url })
  return Object.assign(request, { get: (name: string) => headers[name], ip: headers['x-forwarded-for'] }) as unknown as Request
}

const six = (number: string): string => Array.from({ length: 6 }, () => number).join(' ')
const UUID = '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b'

const DOCUMENT: Record<string, () => unknown> = {
  'an appearance of six numbers': () => areas(`/Artifact BMC q ${six('1'.repeat(50))} x`),
  'an appearance of one number': () => areas(filled('1', '/Artifact BMC q ', ' x')),
  'an appearance of many lines': () => areas(filled(`/Artifact BMC q ${six('0')} x\n`)),
  'an appearance of line ends': () => areas(filled('\n', '', 'x')),
  'headers of objects without numbers': () => hidden(filled(' obj')),
  'headers of objects in comments': () => hidden(filled('\n%\nobj')),
  'a header with one long comment': () => hidden(filled('%', '1 ', '\n0 obj')),
  'numbers before no object': () => hidden(filled('1 ', '', 'obj')),
  'a number': () => read(filled('1', '', 'x')),
  'a number with a point': () => read(filled('1', '1.', 'x')),
  'a name of escapes': () => read(filled('#41', '/')),
  'a name of number signs': () => read(filled('#', '/')),
  'a number of page content': () => token(numberValue, filled('1', '', 'x')),
  'a name of page content': () => token(nameText, filled('#4', '/')),
  'hex of page content': () => token(hexBytes, filled('g ', '<', '>')),
  'a string of page content': () => token(escapedBytes, filled('\\', '(', ')')),
  'a string of escapes': () => readString(filled('\\1', '(', ')')),
  'a string of line ends': () => readString(filled('\r', '(', ')')),
  'a string of wrong hex': () => readString(filled('g', '<', '>')),
  'hex data': () => tryTo(() => decodeAsciiHex(bytes(filled('4 ', '', 'x>')))),
  'a text that may be ignored': () => unitOf(filled('\u200b', '', 'x')),
  'an encoding of blanks': () => readType1Encoding(bytes(filled(' ', '/Encoding dup'))),
  'an encoding of beginnings': () => readType1Encoding(bytes(filled('dup 1 /', '/Encoding '))),
  'definitions that do not end': () => order(filled('1 ')),
  'a definition with much space': () => order(filled(' ', '1 1')),
  'an end with much space': () => tryTo(() => readEnds(bufferSource(bytes(filled(' ', '%PDF-1.7 startxref', '1'))))),
  'a script of blanks': () => isFormatScript(filled(' ', 'AFNumber_Format(')),
  'a script of arguments': () => isFormatScript(filled('1 ,', 'AFNumber_Format(').slice(0, 10_000)),
  'a script of calls': () => isFormatScript(filled('AFNumber_Format()').slice(0, 10_000)),
  'a date': () => parsePdfDate(filled('00', 'D:2026')),
  'a signature of half bytes': () => signatures(filled('0', '<', '0>')),
  'the reason of a signature': () => readAuditHead(filled('0', 'Audit trail of envelope ')),
  'certificates that do not end': () => readPemCertificates(filled('-----BEGIN CERTIFICATE-----a')),
  'a certificate of dashes': () => readPemCertificates(filled('-')),
  'a certificate of blanks': () => readPemCertificates(filled(' ', '-----BEGIN CERTIFICATE-----', '----')),
  'a name of a certificate': () => certificateName(filled(' ', 'C=x,')),
  'a name of escaped commas': () => certificateName(filled('\\,', 'CN=')),
  'byte ranges in the browser': () => findRevisionEnds(filled('/ByteRange [0 1 ', '', 'x'), BYTES),
  'a byte range of blanks': () => findRevisionEnds(filled(' ', '/ByteRange [0', 'x'), BYTES),
  'ids in the browser': () => findSignatureIds(filled(UUID.slice(0, -1))),
  'codes in the browser': () => findPrintedCodes(filled(`${UUID}Code`)),
}

/** As the rewriting of an irregular file begins. */
function order(text: string): void {
  const file = simplePdf()
  checkFileOrder(Buffer.concat([bytes(text), file]), newBudget(PDF_LIMITS))
}

const USER: Record<string, () => unknown> = {
  'a name': () => Name.safeParse(filled('\u200b', '', '\t')),
  'a name as it is drawn': () => splitGraphemes(filled(' ', '', '\u200d')),
  'a name as it is printed': () => toVisibleLine(filled(' ', 'x', '\u0007')),
  'an address with a long local part': () => Email.safeParse(filled('a', '', '@')),
  'an address with many labels': () => Email.safeParse(filled('a.', 'a@', '!')),
  'an address with a long label': () => Email.safeParse(filled('a', 'a@', '.!')),
  'an address in the panel': () => emailError(filled('.', 'a@', ' ')),
  'an address of dots and letters': () => emailError(filled('.aa', 'a@', '@')),
  'a time': () => Instant.safeParse(filled('0', '2026-12-24T10:00:00.')),
  'a password': () => weakness(filled('a', '', 'b')),
  'a password of words': () => weakness(filled('ab', '', 'c')),
  'a password of signs': () => weakness(filled('-', 'a', 'a')),
  'a label': () => tryTo(() => checkLabels([['a', filled('a', '', '\n')]])),
  'a file name': () => tryTo(() => checkFilename(filled('%2'))),
  'a file name of dots': () => attachmentDisposition(filled('.', '', 'x'), 'application/pdf'),
  'a filter of labels': () => ListEnvelopesQuery.safeParse({ labels: filled('a=', '', ',') }),
  'a filter of statuses': () => tryTo(() => ListEnvelopesQuery.safeParse({ status: filled('SENT,') })),
  'a page': () => ListEnvelopesQuery.safeParse({ page: filled('1', '', 'x') }),
  'a webhook': () => CreateWebhookBody.safeParse({ url: filled('a.', 'https://'), eventTypes: [filled('a')] }),
  'the host of a webhook': () => parseTargetUrl(filled('[', 'https://', ']')),
  'the signature of an event': () => tryTo(() => isSignatureValid(filled('t=1,v1=', '', '='), Buffer.alloc(0), ['secret'], 0)),
  'a path': () => redactPath(filled('/sign')),
  'a path of separators': () => redactPath(filled('%2f', '/sign')),
  'a path of tokens': () => redactPath(filled(`/${'a'.repeat(43)}`)),
  'an access token': () => claimedIssuer(filled('a.', '', '!')),
  'basic credentials': () => readTokenRequest(new URLSearchParams('grant_type=client_credentials'), filled('=', 'Basic a', '!')),
  'a forwarded address': () => clientInfoOf(requestWith({ 'x-forwarded-for': filled(':1', '', 'x') })),
  'a forwarded address in brackets': () => clientInfoOf(requestWith({ 'x-forwarded-for': filled(']') })),
  'a host': () => hostNamesOf(requestWith({ host: filled(':1', '', 'x') })),
  'a target': () => hostNamesOf(requestWith({ host: 'a' }, filled('a', 'https://'))),
  'a cookie': () => readCookie(requestWith({ cookie: filled('a=; ') }), 'session'),
  'a browser': () => deviceName(filled('Version/1 ')),
  'a reply with addresses': () => toFailure(new Error(filled('a@')), { inData: false }),
  'a reply of one word': () => toFailure(new Error(filled('a', '', '@')), { inData: false }),
  'a reply of schemes': () => toFailure(new Error(filled('a+')), { inData: false }),
  'a reply of control characters': () => toFailure(new Error(filled('\u0007')), { inData: false }),
  'a bundle with tokens': () => redact(filled('eyJ-')),
  'a bundle with parts of tokens': () => redact(filled('eyJ.')),
  'a bundle with links': () => redact(filled('https://a')),
  'a bundle with keys': () => redact(filled('-----BEGIN ')),
}

function weakness(password: string): unknown {
  return tryTo(() => assertGoodPassword(password, { email: 'ada@example.test' }))
}

/** The error, which says that the text is too long or wrong. */
function tryTo(act: () => unknown): unknown {
  try {
    return act()
  } catch (error) {
    return error
  }
}

describe.each([
  ['a document', DOCUMENT],
  ['a user', USER],
])('1 MB of text of %s', (_, cases) => {
  test.each(Object.entries(cases))('%s is read in linear time', (_, act) => {
    // The machine can interrupt an expression only from outside.
    runInNewContext('act()', { act }, { timeout: LIMIT_MS })
  })
})
