import { renderOneTimeCode } from '#core/mail/templates/one-time-code.ts'
import { describe, expect, test } from 'vitest'

const mail = { signerName: 'Ada', title: 'Lease', code: '048213', validSeconds: 600 }

describe('the mail with the code', () => {
  test('shows the code in both bodies, and neither in the subject nor in the preview', () => {
    const { subject, text, html } = renderOneTimeCode(mail)
    expect(text.split('\n').map((line) => line.trim())).toContain('048213')
    expect(html).toMatch(/>\s*048213\s*</)
    expect(subject).toBe('Your code to sign: Lease')
    expect(html.slice(0, html.indexOf('<table'))).not.toContain('048213')
  })

  test.each([
    [600, '10 minutes'],
    [659, '10 minutes'],
    [120, '2 minutes'],
    [119, '119 seconds'],
    [45, '45 seconds'],
  ])('good for %d seconds, promises %s and no more', (validSeconds, promised) => {
    const { text, html } = renderOneTimeCode({ ...mail, validSeconds })
    for (const part of [text, html]) expect(part).toContain(`It is valid for ${promised} and can be used once.`)
  })
})
