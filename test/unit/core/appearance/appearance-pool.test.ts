// Results and errors of the appearance threads arrive intact at the caller.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decodeForm } from '#core/pdf/increment/form-codec.ts'
import { type AppearancePool, openAppearancePool } from '#core/appearance/appearance-pool.ts'
import { SEAL_HEIGHT, SEAL_WIDTH } from '#core/pdf/placement/seal-box.ts'
import { buildPng } from '../png/png-builder.ts'

const IMAGE = buildPng({ width: 30, height: 10, bitDepth: 8, colourType: 0, interlaced: false, sampleAt: (x) => [x * 8] })

describe('the appearance pool', () => {
  let pool: AppearancePool

  beforeAll(() => {
    pool = openAppearancePool()
  })
  afterAll(() => pool.close())

  it('checks an image and draws a seal with it', async () => {
    const imagePng = await pool.checkImage(IMAGE.toString('base64'), 'house')
    const form = await pool.draw(
      {
        signerName: 'Łucja Przykład',
        signerEmail: 'lucja@example.com',
        organisationName: 'Garden Club e.V.',
        signedAt: new Date('2026-11-21T07:00:00Z'),
        signatureId: '6f1f2c1e-7a52-4c0b-9d0e-0d6f0c7b1a01',
        verificationCode: 'Zk3vY1q0m7R2bQ9sT4uW8x',
        verifyUrl: 'https://sign.example.com/verify',
        imagePng,
      },
      'house',
    )
    expect(decodeForm(form)).toMatchObject({ width: SEAL_WIDTH, height: SEAL_HEIGHT })
  })

  it('refuses a bad image with its code and sentence', async () => {
    await expect(pool.checkImage('AAAA', 'house')).rejects.toMatchObject({
      code: 'SIGNATURE_IMAGE_INVALID',
      message: 'The image is not a PNG file.',
    })
  })

  it('accepts as many requests at once as a burst of signers causes', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => pool.checkImage(IMAGE.toString('base64'), 'house')))
    expect(new Set(answers.map((png) => png.toString('hex'))).size).toBe(1)
  })
})
