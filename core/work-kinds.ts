// Every kind of work. A new kind adds its folder and a line here.
import { REPORT_WORK } from '#core/envelope/report-job.ts'
import { SEAL_WORK } from '#core/envelope/seal-job.ts'
import { MAIL_WORK } from '#core/mail/mail-job.ts'
import { DELIVERY_WORK } from '#core/webhook/delivery/delivery-job.ts'
import { PROBE_WORK } from '#core/webhook/probe/probe-job.ts'
import type { WorkKind } from '#core/work/job.ts'

export const WORK_KINDS: readonly WorkKind[] = [SEAL_WORK, MAIL_WORK, REPORT_WORK, DELIVERY_WORK, PROBE_WORK]
