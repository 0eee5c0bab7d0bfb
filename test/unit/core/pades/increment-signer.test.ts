// What @signpdf's contract requires of the signer beyond sealing: other signers, a gap that is too small.
import { Signer } from '@signpdf/utils'
import { describe, expect, it } from 'vitest'
import { CadesSigner } from '#core/pades/cades-signer.ts'
import { IncrementSigner } from '#core/pades/increment-signer.ts'
import { newSelfSignedKey } from '#core/pades/self-signed-key.ts'
import { SEALED_AT } from './sealed-file.ts'

const signer = new CadesSigner(await newSelfSignedKey({ commonName: 'Seal', organisation: 'Seal', now: SEALED_AT }))
const before = Buffer.from('%PDF-1.7 <')
const file = (room: number) => Buffer.concat([before, Buffer.alloc(room, '0'), Buffer.from('> rest')])
const gap = (room: number) => ({ start: before.length - 1, end: before.length + room + 1 })

describe('IncrementSigner', () => {
  it('writes only into the gap of the given file', async () => {
    const room = signer.contentsBytes * 2
    const pdf = file(room)
    const increment = new IncrementSigner(gap(room))
    expect(await increment.sign(pdf, signer)).toBe(pdf)
    expect(pdf.toString('latin1')).toBe(`%PDF-1.7 <${increment.lastSignature.padEnd(room, '0')}> rest`)
    expect(increment.lastSignature).toMatch(/^30[0-9a-f]+$/)
  })

  it('leaves the file unchanged when the signature is too long', async () => {
    const pdf = file(100)
    await expect(new IncrementSigner(gap(100)).sign(pdf, signer)).rejects.toThrow('Signature exceeds its gap')
    expect(pdf).toEqual(file(100))
  })

  it('refuses a signer without digest input', async () => {
    await expect(new IncrementSigner(gap(100)).sign(file(100), new Signer())).rejects.toThrow('CadesSigner expected')
  })
})
