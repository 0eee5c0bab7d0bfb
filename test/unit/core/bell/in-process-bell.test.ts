import { inProcessBell } from '#core/bell/in-process-bell.ts'
import { describe, expect, test } from 'vitest'

/** A bell and the subjects that were heard, in order. */
function listening(bell = inProcessBell()) {
  const heard: string[] = []
  const seals = bell.consume('sealwright.seal.requested', () => heard.push('seal'))
  const mails = bell.consume('sealwright.mail.requested', () => heard.push('mail'))
  return { bell, heard, seals, mails }
}

describe('the bell of one process', () => {
  test('rings for whoever listens to the subject, once a message, in order', async () => {
    const { bell, heard } = listening()
    await bell.publish('sealwright.mail.requested', '1', {})
    await bell.publish('sealwright.seal.requested', '2', {})
    await bell.publish('sealwright.mail.requested', '3', {})
    expect(heard).toEqual(['mail', 'seal', 'mail'])
  })

  test('has rung when publish resolves', async () => {
    const { bell, heard } = listening()
    const published = bell.publish('sealwright.mail.requested', '1', {})
    await published
    expect(heard).toEqual(['mail'])
  })

  test('rings for every listener', async () => {
    const { bell, heard } = listening()
    bell.consume('sealwright.mail.requested', () => heard.push('another'))
    await bell.publish('sealwright.mail.requested', '1', {})
    expect(heard).toEqual(['mail', 'another'])
  })

  test('rings for nobody without harm', async () => {
    const { bell, heard } = listening()
    await bell.publish('sealwright.envelope.sent', '1', {})
    await inProcessBell().publish('sealwright.mail.requested', '1', {})
    expect(heard).toEqual([])
  })

  test('is not heard any more by who has stopped listening, but by others', async () => {
    const { bell, heard, mails } = listening()
    mails[Symbol.dispose]()
    mails[Symbol.dispose]()
    await bell.publish('sealwright.mail.requested', '1', {})
    await bell.publish('sealwright.seal.requested', '2', {})
    expect(heard).toEqual(['seal'])
  })

  test('is not heard by listeners of another bell', async () => {
    const { heard } = listening()
    await listening().bell.publish('sealwright.mail.requested', '1', {})
    expect(heard).toEqual([])
  })
})
