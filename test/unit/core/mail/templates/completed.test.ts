import { renderCompleted } from '#core/mail/templates/completed.ts'
import { expect, test } from 'vitest'

test('the mail about the signed copy says what was signed, who sent it and where the copy is', () => {
  const link = 'https://sign.example.test/sign/Zk3v9_2uYtQ0aWm1nB4cX7dE6fG5hJ8kLpOiUyTrEwQ'
  const { subject, text, html } = renderCompleted({ signerName: 'Ada', organisationName: 'Nordlicht GmbH', title: 'Lease', link })
  expect(subject).toBe('Completed: Lease')
  for (const part of [text, html]) {
    for (const said of ['Ada', 'Nordlicht GmbH', 'Lease', link]) expect(part).toContain(said)
  }
})
