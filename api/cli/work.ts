// `sealwright work status | retry`, and its short forms `seal` and `mail`.
import { recordOperatorEvent } from '#core/account/activity/record-admin-event.ts'
import { EnvelopeId } from '#core/ids.ts'
import { WORK_KINDS } from '#core/work-kinds.ts'
import type { WorkKind } from '#core/work/job.ts'
import { listJobs, type UnfinishedJob } from '#core/work/list-jobs.ts'
import { type JobChoice, retryJobs } from '#core/work/retry-jobs.ts'
import { type Command, Option } from 'commander'
import { z } from 'zod'
import { withDatabase } from './connect.ts'
import { parsed } from './parse-option.ts'
import { print } from './print.ts'

const KIND_NAMES = WORK_KINDS.map(({ name }) => name)
const JobId = z.guid({ error: 'not a valid job ID' })

interface StatusOptions {
  kind?: string
  stuck?: true
  json?: boolean
}

interface RetryOptions {
  kind?: string
  id?: string
  envelope?: EnvelopeId
  all?: true
  json?: boolean
}

export function addWork(program: Command): void {
  const work = program.command('work').description('show and retry jobs of the workers')
  addStatus(work, '').addOption(new Option('--kind <kind>', 'show only jobs of this kind').choices(KIND_NAMES))
  addRetry(work, '').addOption(new Option('--kind <kind>', 'kind of the jobs').choices(KIND_NAMES).makeOptionMandatory())
  for (const kind of KIND_NAMES) {
    const short = program.command(kind).description(`same as work with --kind ${kind}`)
    addStatus(short, kind)
    addRetry(short, kind)
  }
}

function addStatus(parent: Command, kind: string): Command {
  return parent
    .command('status')
    .description('list unfinished jobs with their last error')
    .option('--stuck', 'show only jobs that need a manual retry')
    .option('--json', 'print one JSON value')
    .action((options: StatusOptions) => status({ ...options, ...(kind && { kind }) }))
}

function addRetry(parent: Command, kind: string): Command {
  return parent
    .command('retry')
    .description('run failed jobs now and reset their attempts')
    .addOption(
      new Option('--id <id>', 'one job, whether it failed or not').argParser(parsed(JobId)).conflicts(['envelope', 'all']),
    )
    .addOption(new Option('--envelope <id>', 'the failed jobs of one envelope').argParser(parsed(EnvelopeId)).conflicts('all'))
    .option('--all', 'all failed jobs of the installation')
    .option('--json', 'print one JSON value')
    .action((options: RetryOptions, command: Command) => retry({ ...options, ...(kind && { kind }) }, command))
}

function kindsOf(name: string | undefined): readonly WorkKind[] {
  return name === undefined ? WORK_KINDS : WORK_KINDS.filter((kind) => kind.name === name)
}

async function status({ kind, stuck, json }: StatusOptions): Promise<void> {
  const jobs = await withDatabase(async (core) => {
    const lists = kindsOf(kind).map((each) => listJobs(core, each, { stuck: stuck ?? false }))
    return (await Promise.all(lists)).flat().toSorted((a, b) => a.wantedAt.getTime() - b.wantedAt.getTime())
  })
  const rows = jobs.map((job) => ({ ...job, wantedAt: job.wantedAt.toISOString(), dueAt: job.dueAt.toISOString() }))
  print(json, rows, jobs.length > 0 ? jobs.map(describe) : [stuck ? 'no stuck jobs' : 'no unfinished jobs'])
}

function describe({ kind, id, state, attempts, wantedAt, dueAt, lastError, ...job }: UnfinishedJob): string {
  const about = ['template', 'envelopeId'].map((key) => Reflect.get(job, key)).filter((value) => value && value !== id)
  const next = state === 'stuck' ? `retry with: sealwright ${kind} retry --id ${id}` : `next attempt ${dueAt.toISOString()}`
  const past = `since ${wantedAt.toISOString()}  attempts ${attempts}`
  return [kind, id, ...about, state, past, next, ...(lastError ? [`(${lastError})`] : [])].join('  ')
}

async function retry({ kind: name, id, envelope, all, json }: RetryOptions, command: Command): Promise<void> {
  const choice: JobChoice | undefined = id ? { id } : envelope ? { envelopeId: envelope } : all && 'all'
  if (!choice) return command.error('error: use one of --id, --envelope or --all')
  const [kind] = kindsOf(name)
  if (!kind) return command.error('error: --kind is required')
  const queued = await withDatabase((core) =>
    retryJobs(core, kind, choice, (sql, orgId, jobs) =>
      recordOperatorEvent(sql, orgId, {
        action: 'work.retried',
        detail: { kind: kind.name, jobs, ...(envelope && { envelopeId: envelope }) },
      }),
    ),
  )
  if (queued === 0 && choice !== 'all')
    throw new Error(
      `Nothing to retry: no ${id ? `unfinished ${kind.name} job with ID ${id}` : `failed ${kind.name} job of envelope ${envelope}`}.`,
    )
  print(json, { queued }, [`${kind.name} jobs queued: ${queued}`])
}
