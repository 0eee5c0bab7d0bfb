// Set-up of test files with Kubernetes: before their first line, the control plane of the run is ready.
import path from 'node:path'
import { inject } from 'vitest'
import { untilKubeRuns } from './kube-run.ts'

await untilKubeRuns(path.dirname(inject('kubeconfig')))
