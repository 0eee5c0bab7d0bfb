// A stub process of the mode in its first argument: `ready`; `faulty`, which exits at once with a message; `killed`, which is ready in its
// second run; `one` and `other`, which exit when both were asked to stop. A ready one exits like a faulty one on SIGUSR2.
import { existsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'

const [mode, mark = ''] = process.argv.slice(2)

function fail(): void {
  console.error(JSON.stringify({ level: 30, msg: 'stub.stopping' }))
  console.error('No such key.\nNo such door.')
  console.error(JSON.stringify({ level: 30, msg: 'stub.ended' }))
  process.exit(1)
}

if (mode === 'faulty') fail()
if (mode === 'killed' && !existsSync(mark)) {
  writeFileSync(mark, '')
  process.kill(process.pid, 'SIGKILL')
}
process.on('SIGUSR2', fail)
process.on('SIGTERM', () => {
  const partner = mode === 'one' ? 'other' : 'one'
  if (mode !== 'one' && mode !== 'other') process.exit(0)
  writeFileSync(`${mark}-${mode}`, '')
  setInterval(() => existsSync(`${mark}-${partner}`) && process.exit(0), 20)
})
console.error(JSON.stringify({ level: 30, msg: 'stub.started' }))
createServer((_, response) => response.end()).listen(Number(process.env['SEALWRIGHT_METRICS_PORT']), '127.0.0.1')
