// The second loop of the seal role: makes sealed audit reports, with the same key and threads. They yield to seals (`dueWhen` of REPORT_WORK).
import { makeNextReport } from '#core/audit-report/make-next-report.ts'
import type { ReportMakers } from '#core/audit-report/make-report.ts'
import type { SystemCore } from '#core/context.ts'
import { REPORT_WORK } from '#core/envelope/report-job.ts'
import type { Notifier } from '#core/messaging/notifier.ts'
import type { Loop } from '../runtime/loop.ts'
import { startWorker } from '../runtime/start-worker.ts'

/** One thread draws them, and seals have the other processors. */
const CONCURRENCY = 1

/** Runs until disposed. */
export function startReports(core: SystemCore, notifier: Notifier, makers: ReportMakers): Loop {
  return startWorker({
    core,
    kind: REPORT_WORK,
    notifier,
    concurrency: CONCURRENCY,
    runNext: (wanted, held) => makeNextReport(core, makers, wanted, held),
  })
}
