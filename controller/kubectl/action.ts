// Commands that change one command field of an object and can wait until the controller has done it.
import { randomBytes } from 'node:crypto'
import type { Resource } from '#core/platform/kubernetes/kube-object.ts'
import { type Cluster, namespaceFor, patchObject, readObject } from './cluster.ts'
import { describeCondition, isObserved, type WithConditions } from './condition-of.ts'
import type { Report } from './report.ts'
import { waitUntil } from './wait-until.ts'

export interface Action<T extends WithConditions> {
  resource: Resource
  /** The field that it changes. */
  field: string
  /** The merge patch; undefined if the object is as wanted already. May throw CommandError. */
  patch(object: T, token: string): object | undefined
  /** What changed, as a sentence. */
  changed: string
  /** What is said when nothing had to change. */
  unchanged: string
  /** Whether the controller has done it. It has seen the specification. */
  isDone(object: T, token: string): boolean
  /** The outcome once it is done. */
  outcome(object: T, before: T): { ok: boolean; line: string }
}

export interface ActionOptions {
  wait?: boolean
  timeoutMs: number
}

/** Changes the field, and waits if asked to. Not done in time, or done without success, is a report that is not ok. */
export async function act<T extends WithConditions>(
  cluster: Cluster,
  action: Action<T>,
  name: string,
  { wait = false, timeoutMs }: ActionOptions,
): Promise<Report> {
  const { resource, field } = action
  const before = await readObject<T>(cluster, resource, name)
  const token = newToken(new Date())
  const patch = action.patch(before, token)
  const after = patch ? await patchObject<T>(cluster, resource, name, patch) : before
  const what = { kind: resource.kind, namespace: namespaceFor(cluster, resource), name, field, changed: patch !== undefined }
  const line = patch ? `${name}: ${action.changed}` : `${name}: ${action.unchanged}`
  if (!wait) return { ok: true, lines: [line], json: what }
  const isDone = (object: T) => isObserved(object) && (!patch || action.isDone(object, token))
  const waited = await waitUntil(() => readObject<T>(cluster, resource, after.metadata.name), isDone, timeoutMs)
  const outcome = waited.isDone ? action.outcome(waited.object, before) : notDone(waited.object, timeoutMs)
  return {
    ok: outcome.ok,
    lines: [line, `${name}: ${outcome.line}`],
    json: { ...what, done: waited.isDone, ok: outcome.ok, message: outcome.line },
  }
}

function notDone(object: WithConditions, timeoutMs: number): { ok: boolean; line: string } {
  return { ok: false, line: `not done after ${timeoutMs / 1_000} s; ${describeCondition(object, 'Ready')}` }
}

/** A value that no earlier request had, and that says when it was made. */
function newToken(now: Date): string {
  return `${now.toISOString()}-${randomBytes(3).toString('hex')}`
}
