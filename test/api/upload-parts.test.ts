// The header of an upload's part: its file name and its type.
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pdfFixture } from '../support/builders/pdf-fixtures.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

let service: TestService
let pdf: Buffer

beforeAll(async () => {
  service = await testService()
  pdf = await readFile(pdfFixture('reportlab.pdf'))
})
afterAll(() => service[Symbol.asyncDispose]())

const uploadPart = (header: string) =>
  service.client.send('POST', '/api/v1/documents', {
    body: Buffer.concat([Buffer.from(`--b\r\n${header}\r\n\r\n`), pdf, Buffer.from('\r\n--b--\r\n')]),
    headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
  })

describe('uploadDocument', () => {
  test.each([
    ['of a path on Windows its last part', 'filename="C:\\Users\\Max\\Desktop\\lease.pdf"', 201, 'lease.pdf'],
    ['of a relative path its last part', 'filename="../../tmp/lease.pdf"', 201, 'lease.pdf'],
    ['of a path of 300 bytes its last part', `filename="${'x/'.repeat(150)}lease.pdf"`, 201, 'lease.pdf'],
    ['filename* rather than filename', 'filename="a.pdf"; filename*=UTF-8\'\'Stra%C3%9Fe.pdf', 201, 'Straße.pdf'],
    ['filename* rather than filename, also when it comes first', "filename*=utf-8'de'b%20c.pdf; filename=a.pdf", 201, 'b c.pdf'],
    ['no folder', 'filename="folder/"', 400, undefined],
    ['no control character', "filename*=UTF-8''a%00b.pdf", 400, undefined],
  ])('takes as file name %s', async (_name, parameters, status, filename) => {
    const answer = await uploadPart(`Content-Disposition: form-data; name="file"; ${parameters}\r\nContent-Type: application/pdf`)
    expect([answer.status, answer.body.filename]).toEqual([status, filename])
  })

  test.each([
    ['no type', '', 201, undefined],
    ['application/octet-stream', '\r\nContent-Type: application/octet-stream', 201, undefined],
    ['another spelling', '\r\ncontent-type:Application/PDF ; charset=binary', 201, undefined],
    [
      'text/plain',
      '\r\nContent-Type: text/plain',
      400,
      'file: the part is declared as text/plain. Only application/pdf documents are accepted.',
    ],
    [
      'markup as its type',
      '\r\nContent-Type: <b>/x',
      400,
      'file: the part is declared as a type that is not valid. Only application/pdf documents are accepted.',
    ],
  ])('judges a PDF that is declared as %s', async (_name, type, status, message) => {
    const answer = await uploadPart(`Content-Disposition: form-data; name="file"; filename="a.pdf"${type}`)
    expect([answer.status, answer.body.message]).toEqual([status, message])
  })

  test('judges what is declared as application/octet-stream by its bytes', async () => {
    expect(
      (await service.client.upload('/api/v1/documents', Buffer.from('GIF89a'), { type: 'application/octet-stream' })).body.code,
    ).toBe('DOCUMENT_INVALID')
  })
})
