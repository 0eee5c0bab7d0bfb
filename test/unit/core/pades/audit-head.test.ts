import { readAuditHead, writeAuditHead } from '#core/pades/audit-head.ts'
import { describe, expect, test } from 'vitest'
import { AUDIT_HEAD } from '../../../support/builders/audit-head.ts'

describe('the audit head in a seal', () => {
  test('is read as it was written', () => {
    expect(readAuditHead(writeAuditHead(AUDIT_HEAD))).toEqual(AUDIT_HEAD)
  })

  const words = writeAuditHead(AUDIT_HEAD)
  test.each([
    null,
    '',
    'I approve this document',
    ` ${words}`,
    `${words}.`,
    words.toUpperCase(),
    words.replace('a1', 'g1'),
    words.replace('row 17', 'row -1'),
    words.slice(0, -1),
  ])('is not read from anything else: %j', (text) => {
    expect(readAuditHead(text)).toBeNull()
  })
})
