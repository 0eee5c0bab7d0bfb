// Makes the sealed audit report of one envelope that is due.
import type { SystemCore } from '#core/context.ts'
import { REPORT_WORK, type ReportJob } from '#core/envelope/report-job.ts'
import { MAX_SEAL_FAILURES } from '#core/limits.ts'
import { sealBackoffSeconds } from '#core/seal/rules.ts'
import { isTransientSealError } from '#core/seal/seal-next-envelope.ts'
import type { HeldLeases } from '#core/work/hold-lease.ts'
import type { JobHandler, JobRef } from '#core/work/job.ts'
import { runNextJob } from '#core/work/run-next-job.ts'
import { BrokenTrailError, makeReport, type ReportMakers } from './make-report.ts'

/** Makes the report of the wanted envelope, or the one that has been due longest; see `runNextJob`. */
export async function makeNextReport(
  core: SystemCore,
  makers: ReportMakers,
  wanted?: JobRef,
  held?: HeldLeases,
): Promise<boolean> {
  return runNextJob(core, reportHandler(core, makers), wanted, held)
}

function reportHandler(core: SystemCore, makers: ReportMakers): JobHandler<ReportJob> {
  return {
    kind: REPORT_WORK,
    span: { name: 'make audit report', attributes: ({ id }) => ({ 'sealwright.envelope_id': id }) },
    perform: (job) => perform(core, makers, job),
    isTransient: isTransientSealError,
    isFinal: (error) => error instanceof BrokenTrailError,
    maxFailures: MAX_SEAL_FAILURES,
    backoffSeconds: sealBackoffSeconds,
  }
}

async function perform(core: SystemCore, makers: ReportMakers, job: ReportJob): Promise<boolean> {
  const startedAt = performance.now()
  const isFirst = await makeReport(core, makers, job)
  const { orgId, id: envelopeId, attempts } = job
  if (isFirst)
    core.log.info({ orgId, envelopeId, attempts, durationMs: Math.round(performance.now() - startedAt) }, 'report.sealed')
  return isFirst
}
