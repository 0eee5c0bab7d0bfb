import { API_VERSION, renderEvent } from '#core/event/payload.ts'
import { EVENT_TYPES } from '#core/messaging/subjects.ts'
import { describe, expect, test } from 'vitest'

const AT = new Date('2026-11-21T10:00:00.250Z')
const ENVELOPE = {
  id: '6f1f2c1e-7a52-4c0b-9d0e-0d6f0c7b1a00',
  title: 'Lease',
  status: 'IN_PROGRESS',
  createdAt: new Date('2026-11-20T09:00:00Z'),
  expiresAt: null,
}
const SIGNER = {
  id: '0a9b8c7d-6e5f-4a3b-8c1d-0e9f8a7b6c5d',
  email: 'ada@example.test',
  name: 'Ada Signer',
  signOrder: 1,
  status: 'SIGNED',
  signedAt: AT,
}

describe('an event', () => {
  // rows: service-api/payload/*
  test('has the fields of the contract and no other', () => {
    expect(renderEvent('envelope.sent', AT, ENVELOPE)).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      type: 'envelope.sent',
      apiVersion: '2026-08-09',
      createdAt: '2026-11-21T10:00:00.250Z',
      data: {
        envelope: {
          id: ENVELOPE.id,
          title: 'Lease',
          status: 'IN_PROGRESS',
          createdAt: '2026-11-20T09:00:00.000Z',
          expiresAt: null,
        },
      },
    })
  })

  test('contains the expiry of the envelope', () => {
    const { data } = renderEvent('envelope.sent', AT, { ...ENVELOPE, expiresAt: new Date('2026-12-01T00:00:00Z') })
    expect(data.envelope.expiresAt).toBe('2026-12-01T00:00:00.000Z')
  })

  // rows: service-api/payload/data.signer
  test('of a signer contains the signer as well', () => {
    expect(renderEvent('signer.signed', AT, ENVELOPE, SIGNER).data.signer).toEqual({
      ...SIGNER,
      signedAt: '2026-11-21T10:00:00.250Z',
    })
    expect(renderEvent('signer.viewed', AT, ENVELOPE, { ...SIGNER, status: 'VIEWED', signedAt: null }).data.signer).toEqual({
      ...SIGNER,
      status: 'VIEWED',
      signedAt: null,
    })
  })

  test('of the envelope has no signer field, not even an empty one', () => {
    expect(renderEvent('envelope.completed', AT, ENVELOPE).data).not.toHaveProperty('signer')
  })

  test('takes from a row only what receivers may see', () => {
    const row = { ...ENVELOPE, labels: { internal: 'secret' }, message: 'secret', linkTtlSeconds: 5 }
    const link = { ...SIGNER, token: 'secret', otpVerifiedAt: AT }
    expect(JSON.stringify(renderEvent('signer.signed', AT, row, link))).not.toMatch(/secret|otp|Ttl/)
  })

  test('has a new id each time, because receivers ignore duplicates', () => {
    const ids = Array.from({ length: 50 }, () => renderEvent('envelope.sent', AT, ENVELOPE).id)
    expect(new Set(ids).size).toBe(50)
  })

  test('is one of six types, all of the API version', () => {
    expect(EVENT_TYPES).toHaveLength(6)
    for (const type of EVENT_TYPES) expect(renderEvent(type, AT, ENVELOPE)).toMatchObject({ type, apiVersion: API_VERSION })
  })
})
