// Measures the stages of a seal: each one is a span of its trace and counts in the stage metric.
import { inSpan } from '#core/platform/trace/spans.ts'
import { sealStageDuration } from '#core/platform/metrics/metrics.ts'

const SPAN_OF_STAGE = {
  read: 'read original',
  seal: 'seal document',
  store: 'store sealed copy',
  record: 'record sealed envelope',
} as const

/** Runs one stage and records its duration, also when it fails. */
export async function inSealStage<T>(stage: keyof typeof SPAN_OF_STAGE, work: () => Promise<T>): Promise<T> {
  const end = sealStageDuration.startTimer({ stage })
  try {
    return await inSpan(SPAN_OF_STAGE[stage], {}, work)
  } finally {
    end()
  }
}
