import type { Request, Response } from 'express'
import { describe, expect, test } from 'vitest'
import { sessionCookie } from '../../../../../api/http/auth/session-cookie.ts'

const TOKEN = 'A'.repeat(43)

function requestWith(cookie: string): Request {
  return { get: (name: string) => (name === 'cookie' ? cookie : undefined) } as Request
}

/** The cookies that the browser is to store. */
function kept(publicUrl: string) {
  const calls: unknown[][] = []
  const response = { cookie: (...call: unknown[]) => calls.push(call) } as unknown as Response
  sessionCookie(publicUrl, requestWith(''), response).write(TOKEN)
  return calls[0]
}

describe('the session cookie', () => {
  test.each([
    'https://sign.example.test',
    'https://localhost',
    'http://sign.example.test',
    'http://10.0.0.5:8080',
    'http://localhost.evil.example',
  ])('at %s is for HTTPS alone and cannot be planted by a sibling domain', (publicUrl) => {
    expect(kept(publicUrl)).toEqual([
      '__Host-sealwright-session',
      TOKEN,
      { httpOnly: true, secure: true, sameSite: 'strict', path: '/' },
    ])
  })

  test.each(['http://127.0.0.1:8080', 'http://localhost:8080', 'http://[::1]:8080'])(
    'at %s works on this machine without HTTPS',
    (publicUrl) => {
      expect(kept(publicUrl)).toEqual([
        'sealwright-session',
        TOKEN,
        { httpOnly: true, secure: false, sameSite: 'strict', path: '/' },
      ])
    },
  )

  test.each([
    ['alone', `sealwright-session=${TOKEN}`, TOKEN],
    ['among others', `a=b; sealwright-session=${TOKEN};c=d`, TOKEN],
    ['under a longer name', `x-sealwright-session=${TOKEN}`, undefined],
    ['too short', 'sealwright-session=AAAA', undefined],
    ['with other characters', `sealwright-session=${'%'.repeat(43)}`, undefined],
    ['not at all', '', undefined],
  ])('is read when it comes %s', (_how, cookie, token) => {
    expect(sessionCookie('http://localhost', requestWith(cookie), {} as Response).token).toBe(token)
  })

  test('under its plain name is ignored where HTTPS is required', () => {
    expect(sessionCookie('https://sign.example.test', requestWith(`sealwright-session=${TOKEN}`), {} as Response).token).toBe(
      undefined,
    )
  })
})
