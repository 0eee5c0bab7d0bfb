// The processes of the split run.
import type { SplitOptions } from './run-split.ts'

export const SPLIT_PROCESSES: SplitOptions['processes'] = [
  { name: 'api', command: ['api/main.ts'] },
  { name: 'relay', command: ['workers/main.ts', 'relay'] },
  { name: 'mail', command: ['workers/main.ts', 'mail'] },
  { name: 'seal', command: ['workers/main.ts', 'seal'] },
  { name: 'deliver', command: ['workers/main.ts', 'deliver'] },
  { name: 'controller', command: ['controller/main.ts'] },
]
