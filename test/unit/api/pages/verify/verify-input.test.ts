import { describe, expect, test } from 'vitest'
import {
  findPrintedCodes,
  findSignatureIds,
  readProof,
  readSignatureId,
  readVerifyLink,
} from '../../../../../api/pages/verify/verify-input.ts'

const ID = '3f0c9d0e-1a2b-4c3d-8e4f-5a6b7c8d9e0f'
const OTHER_ID = '7a3e6b7e-93a8-4a5e-9d3c-1f0a9d0e1a2b'
const CODE = 'Ab-dEfGhIjKlMn_pQrStUv'
const SHA256 = 'ab'.repeat(32)

describe('a typed signature ID', () => {
  test.each([ID, ID.toUpperCase(), ` ${ID}\n`, '3f0c9d0e-1a2b-4c3d- 8e4f-5a6b7c8d9e0f'])('"%s" is understood', (text) => {
    expect(readSignatureId(text)).toBe(ID)
  })

  test.each(['', 'x', ID.slice(1), `${ID}0`, ID.replace('f', 'g')])('"%s" is not', (text) => {
    expect(readSignatureId(text)).toBeUndefined()
  })
})

describe('a typed proof', () => {
  test('is the code with its capitals, or a fingerprint without', () => {
    expect(readProof(` ${CODE.slice(0, 11)} ${CODE.slice(11)} `)).toBe(CODE)
    expect(readProof(SHA256.toUpperCase())).toBe(SHA256)
  })

  test.each(['', CODE.slice(1), `${CODE}x`, CODE.replace('A', '+'), SHA256.slice(1)])('is not "%s"', (text) => {
    expect(readProof(text)).toBeUndefined()
  })
})

describe('the link in a QR code', () => {
  test('asks for a check when it has both parts', () => {
    expect(readVerifyLink(`?id=${ID}&h=${CODE}`)).toEqual({ id: ID, h: CODE })
  })

  test.each(['', '?', `?id=${ID}`, `?h=${CODE}`, `?id=&h=${CODE}`])('"%s" asks for none', (search) => {
    expect(readVerifyLink(search)).toBeUndefined()
  })
})

describe("signature IDs in a PDF's text", () => {
  test('are found each once, in their order', () => {
    expect(findSignatureIds(`Lease ID ${ID} Code ${CODE} ID ${OTHER_ID} again ${ID}`)).toEqual([ID, OTHER_ID])
  })

  test('are found when lines tear them apart and text touches them', () => {
    expect(findSignatureIds(`ID3f0c9d0e-1a2b-\n4c3d-8e4f-5a6b 7c8d9e0fCode${CODE}`)).toEqual([ID])
  })

  test('are none in other text', () => {
    expect(findSignatureIds('Invoice 2026-11-20, account 12345678-1234')).toEqual([])
  })
})

test('the codes in a PDF are found behind their IDs, also torn apart', () => {
  const text = `Lease ID ${ID} Co de\n${CODE.slice(0, 9)} ${CODE.slice(9)} and ${OTHER_ID} without one`
  expect([...findPrintedCodes(text)]).toEqual([[ID, CODE]])
})
