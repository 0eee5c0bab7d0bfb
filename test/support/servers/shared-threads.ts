// The threads of every test service of this process, because starting them takes a second of processor time; they end with the process.
import { tmpdir } from 'node:os'
import { openReportPool, type ReportPool } from '#core/audit-report/report-pool.ts'
import { openSealingThreads, type SealingThreads } from '#core/seal/sealing-pool.ts'
import { type KeyOpener, openKeyOpener } from '#core/signing-key/loading/key-opener.ts'
import { openThreads, type Threads } from '#core/thread-pools.ts'

export interface SharedThreads {
  threads: Threads
  reports: ReportPool
  sealing: SealingThreads
  opener: KeyOpener
}

let shared: SharedThreads | undefined

/** Started on first use; the files of a layer share them as they share this module. */
export function sharedThreads(): SharedThreads {
  shared ??= {
    threads: openThreads({ folder: tmpdir() }),
    reports: openReportPool(),
    sealing: openSealingThreads({ threads: 1, limitSeconds: 60 }),
    opener: openKeyOpener(),
  }
  return shared
}
