import { performance } from 'node:perf_hooks'
import { openReportPool, type ReportPool } from '#core/audit-report/report-pool.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anAuditReport, aReportEvent } from '../../../support/builders/audit-report.ts'

let pool: ReportPool
beforeAll(() => {
  pool = openReportPool()
})
afterAll(() => pool.close())

test('a long trail is drawn without blocking the event loop', async () => {
  const events = Array.from({ length: 1_000 }, (_, index) => aReportEvent({ seq: index + 1, what: `Step ${index + 1}.` }))
  const before = performance.eventLoopUtilization()
  const { pdf } = await pool.draw(anAuditReport({ events }), 'house')
  expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5)
  expect(pdf.subarray(0, 5).toString('latin1')).toBe('%PDF-')
})

test('reports beyond the queue limit are refused until later', async () => {
  const answers = await Promise.allSettled(Array.from({ length: 40 }, () => pool.draw(anAuditReport({}), 'house')))
  const refused = answers.filter(({ status }) => status === 'rejected')
  expect(refused.length).toBeGreaterThan(0)
  for (const answer of refused) expect(answer).toMatchObject({ reason: { code: 'SERVICE_UNAVAILABLE' } })
  expect(answers.some(({ status }) => status === 'fulfilled')).toBe(true)
})
