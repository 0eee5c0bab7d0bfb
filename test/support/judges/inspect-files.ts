// Inspects all files of a folder, one after the other, as a process of the inspection pool does, so that tests can measure its resources:
// node inspect-files.ts <folder>. Writes an InspectionRun as JSON to standard output.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { inspect } from '#core/pades/signatures/upload-thread.ts'

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

async function codeOf(file: string): Promise<string | null> {
  const answer = await inspect({ path: file, refuseActiveContent: true, repairDocuments: false })
  return answer.ok ? null : answer.code
}

function peak(): number {
  return process.resourceUsage().maxRSS / 1024
}

const folder = process.argv[2] ?? '.'
await codeOf(path.join(import.meta.dirname, '../../fixtures/pdfs/reportlab.pdf'))
const peakBefore = peak()
const files: InspectedFile[] = []
for (const name of readdirSync(folder)) {
  const start = process.cpuUsage()
  const code = await codeOf(path.join(folder, name))
  const { user, system } = process.cpuUsage(start)
  files.push({ name, code, cpuMilliseconds: (user + system) / 1000 })
}
const run: InspectionRun = { files, peakBefore, peakAfter: peak() }
process.stdout.write(JSON.stringify(run))
