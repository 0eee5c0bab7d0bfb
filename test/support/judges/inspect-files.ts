// Inspects all files of a folder, one after the other, on a single-thread pool in a separate process, so that tests can measure its
// resources: node inspect-files.ts <folder>. Writes an InspectionRun as JSON to standard output.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { UPLOAD_THREAD } from '#core/pades/signatures/upload-thread.ts'
import { openInspectionPool } from '#core/pdf/inspect/inspection-pool.ts'

export interface InspectedFile {
  readonly name: string
  /** The error code; null for an accepted document. */
  readonly code: string | null
  /** CPU time of the whole process, including garbage collection. */
  readonly cpuMilliseconds: number
}

export interface InspectionRun {
  readonly files: readonly InspectedFile[]
  /** The process's peak memory before the first file and after the last one, in MiB. */
  readonly peakBefore: number
  readonly peakAfter: number
}

const pool = openInspectionPool({ threads: 1, module: UPLOAD_THREAD })

async function inspect(file: string): Promise<string | null> {
  try {
    await pool.inspect(file, { refuseActiveContent: true, repairDocuments: false }, { owner: 'house' })
    return null
  } catch (error) {
    if (error instanceof DomainError) return error.code
    throw error
  }
}

function peak(): number {
  return process.resourceUsage().maxRSS / 1024
}

const folder = process.argv[2] ?? '.'
await inspect(path.join(import.meta.dirname, '../../fixtures/pdfs/reportlab.pdf'))
const peakBefore = peak()
const files: InspectedFile[] = []
for (const name of readdirSync(folder)) {
  const start = process.cpuUsage()
  const code = await inspect(path.join(folder, name))
  const { user, system } = process.cpuUsage(start)
  files.push({ name, code, cpuMilliseconds: (user + system) / 1000 })
}
await pool.close()
const run: InspectionRun = { files, peakBefore, peakAfter: peak() }
process.stdout.write(JSON.stringify(run))
