import { describe, expect, test } from 'vitest'
import { failureFromAnswer, NETWORK_FAILURE } from '../../../../../api/pages/http/failure.ts'
import { type Ceremony, type CeremonyEvent, nextAction, nextCeremony } from '../../../../../api/pages/signing/ceremony.ts'
import { aDocument, aSigningView } from './signing-view.ts'

const LOADING: Ceremony = { step: 'loading' }

function refused(code: string, status = 409): CeremonyEvent {
  return { type: 'failed', failure: failureFromAnswer(status, { code }, null) }
}

function opened(overrides = {}, openedIds: string[] = []): CeremonyEvent {
  return { type: 'link-opened', view: aSigningView(overrides), openedIds }
}

const READING = nextCeremony(LOADING, opened())

describe('opening a link leads to', () => {
  test('the code while one is owed', () => {
    expect(nextCeremony(LOADING, opened({ requiresOtp: true, documents: [] }))).toMatchObject({
      step: 'code',
      permissionLost: false,
    })
  })

  test('the documents otherwise', () => {
    expect(READING).toMatchObject({ step: 'documents', openedIds: [] })
  })

  test('the documents with those of this envelope ticked that were opened before a reload', () => {
    expect(nextCeremony(LOADING, opened({}, ['two', 'of another envelope']))).toMatchObject({
      step: 'documents',
      openedIds: ['two'],
    })
  })

  test('the end when the signer has signed, whatever else the view says', () => {
    expect(nextCeremony(LOADING, opened({ alreadySigned: true, requiresOtp: true }))).toMatchObject({ step: 'signed' })
  })
})

describe('a failure', () => {
  test.each([
    ['SIGNING_LINK_NOT_FOUND', 'link'],
    ['ENVELOPE_NOT_OPEN', 'envelope'],
    ['NOT_YOUR_TURN', 'turn'],
  ])('%s closes the ceremony at every step', (code, reason) => {
    for (const ceremony of [LOADING, READING, nextCeremony(LOADING, opened({ requiresOtp: true }))]) {
      expect(nextCeremony(ceremony, refused(code))).toEqual({ step: 'closed', reason })
    }
  })

  test('of opening the link can be tried again', () => {
    const unreachable = nextCeremony(LOADING, { type: 'failed', failure: NETWORK_FAILURE })
    expect(unreachable).toEqual({ step: 'unreachable', failure: NETWORK_FAILURE })
    expect(nextCeremony(unreachable, { type: 'reload' })).toEqual(LOADING)
  })

  test('of another kind leaves the step, and what was opened in it, alone', () => {
    const ceremony = nextCeremony(READING, { type: 'document-opened', id: 'one' })
    expect(nextCeremony(ceremony, { type: 'failed', failure: NETWORK_FAILURE })).toBe(ceremony)
    expect(nextCeremony(ceremony, refused('SIGNATURE_IMAGE_INVALID', 422))).toBe(ceremony)
    expect(nextCeremony(ceremony, refused('RATE_LIMITED', 429))).toBe(ceremony)
  })

  test('OTP_REQUIRED while reading asks for a new code and says why', () => {
    expect(nextCeremony(READING, refused('OTP_REQUIRED', 422))).toMatchObject({ step: 'code', permissionLost: true })
  })

  test('ALREADY_SIGNED, as after a lost answer, asks the service where the signer stands', () => {
    expect(nextCeremony(READING, refused('ALREADY_SIGNED'))).toEqual(LOADING)
  })
})

describe('reading and signing', () => {
  test('each opened document is counted once', () => {
    const once = nextCeremony(READING, { type: 'document-opened', id: 'two' })
    const twice = nextCeremony(once, { type: 'document-opened', id: 'two' })
    expect(twice).toMatchObject({ openedIds: ['two'] })
  })

  test('signing ends at the signed step', () => {
    expect(nextCeremony(READING, { type: 'signed' })).toMatchObject({ step: 'signed' })
  })

  test('an event that comes late, after the ceremony was closed, changes nothing', () => {
    const closed = nextCeremony(READING, refused('ENVELOPE_NOT_OPEN'))
    expect(nextCeremony(closed, { type: 'signed' })).toBe(closed)
    expect(nextCeremony(closed, { type: 'document-opened', id: 'one' })).toBe(closed)
  })
})

describe('the next action', () => {
  const documents = [aDocument('one'), aDocument('two'), aDocument('three')]

  test('is the unread document after the current one', () => {
    expect(nextAction(documents, ['one'], 'one')).toEqual({ kind: 'open', document: documents[1] })
    expect(nextAction(documents, ['two'], 'two')).toEqual({ kind: 'open', document: documents[2] })
  })

  test('goes back to one that was skipped', () => {
    expect(nextAction(documents, ['two', 'three'], 'three')).toEqual({ kind: 'open', document: documents[0] })
  })

  test('is the current document itself while it is the only one not yet shown', () => {
    expect(nextAction(documents, ['one', 'two'], 'three')).toEqual({ kind: 'open', document: documents[2] })
  })

  test('is signing once each was opened', () => {
    expect(nextAction(documents, ['three', 'one', 'two'], 'two')).toEqual({ kind: 'sign' })
  })
})
