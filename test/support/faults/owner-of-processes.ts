// Owns two processes of a pool, one idle and one in a task that hangs, and writes their ids: node owner-of-processes.ts FOLDER
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { openProcessPool } from '#core/platform/processes/process-pool.ts'

const folder = process.argv[2] ?? '.'
const file = path.join(folder, 'upload.pdf')
writeFileSync(file, '')
const pool = openProcessPool<{ task: string }, { pid: number }>({
  pool: 'inspection',
  module: new URL('misbehaving-process.ts', import.meta.url),
  functionName: 'run',
  folder,
  processes: 2,
  maxWaiting: 4,
  limitSeconds: 3,
  heapMebibytes: 64,
  memoryMebibytes: 512,
})
const first = await pool.run(file, { task: 'answer' })
const hung = pool.run(file, { task: 'hang' })
const second = await pool.run(path.join(folder, 'upload.pdf'), { task: 'answer' })
process.stdout.write([first, second].map((outcome) => (outcome.finished ? outcome.answer.pid : 0)).join(' '))
await hung
