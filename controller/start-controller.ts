// The controller tier, built from dependencies that the caller opened.
import { coreChecks } from '#core/installation/health-checks.ts'
import type { SystemCore } from '#core/context.ts'
import { type Checks, required } from '#core/platform/process/health-checks.ts'
import { kubernetesIsConfigured } from '#core/platform/kubernetes/open-kube.ts'
import { clockJobs } from './clock/jobs.ts'
import { startClock } from './clock/start-clock.ts'
import type { Operator } from './start-operator.ts'

export interface RunningController extends AsyncDisposable {
  /** The checks of `/readyz` and `/livez`. */
  ready: () => Checks
  alive: Checks
  measure?: () => Promise<void>
}

/** Runs the scheduled jobs until disposed, and the operator where Kubernetes is configured. The jobs do not depend on it. Needs a database of the system role.
 *  Throws StartupError when the kubeconfig cannot be used. */
export async function startController(core: SystemCore): Promise<RunningController> {
  await using stack = new AsyncDisposableStack()
  const clock = stack.use(startClock(clockJobs(core), core.log))
  const operator = kubernetesIsConfigured(core.settings) ? stack.use(await loadOperator(core)) : undefined
  const running = stack.move()
  return {
    // Readiness does not depend on leadership, nor on the API server.
    ready: () => ({ ...coreChecks(core, { changes: required }), ...operator?.ready }),
    alive: { ...clock.alive, ...operator?.alive },
    ...(operator && { measure: operator.measure }),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

/** Loaded where it is used: other controllers and the embedded run do not pay for it. */
async function loadOperator(core: SystemCore): Promise<Operator> {
  const { startOperator } = await import('./start-operator.ts')
  return startOperator(core)
}
