import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openFileMailbox } from '#core/mail/file-mailbox.ts'
import { expect, test } from 'vitest'

const mail = (id: string, sentAt: string) => ({
  id,
  to: 'ada@example.test',
  sentAt: new Date(sentAt),
  subject: id,
  text: 'text',
  html: '<p>html</p>',
})

test('stored emails are listed newest first by their sending times, whatever the order of writing, and within one millisecond in that order', async () => {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'sealwright-mails-'))
  const kept = await openFileMailbox(folder.path)
  for (const [id, time] of [
    ['c', '2026-01-01T10:00:00.003Z'],
    ['a', '2026-01-01T10:00:00.001Z'],
    ['d', '2026-01-01T10:00:00.003Z'],
    ['b', '2026-01-01T10:00:00.002Z'],
  ] as const)
    expect(await kept.send(mail(id, time))).toEqual({ outcome: 'accepted' })
  expect((await kept.list()).map(({ id }) => id)).toEqual(['d', 'c', 'b', 'a'])
})
