// The eight ways to install that are rendered in the tests.
import path from 'node:path'
import { CHART_FOLDER } from '../../hack/chart/render.ts'

const FOLDER = path.join(import.meta.dirname, 'profiles')
/** What clusters of these profiles serve besides Kubernetes itself. */
const CAPABILITIES = ['monitoring.coreos.com/v1', 'keda.sh/v1alpha1', 'gateway.networking.k8s.io/v1', 'cert-manager.io/v1']

export const MINIMAL = path.join(FOLDER, 'minimal.yaml')

export interface Profile {
  name: string
  /** Of `helm template`. */
  args: readonly string[]
  /** Its expected file has only what it renders otherwise than `minimal`. */
  isCompared?: true
}

function onTopOfMinimal(name: string): Profile {
  return profile(name, [MINIMAL, path.join(FOLDER, `${name}.yaml`)])
}

function profile(name: string, files: readonly string[]): Profile {
  const values = files.flatMap((file) => ['--values', file])
  return { name, args: [...values, ...CAPABILITIES.flatMap((each) => ['--api-versions', each])] }
}

export const EVALUATION = compared(profile('evaluation', [path.join(CHART_FOLDER, 'values-eval.yaml')]))

function compared(one: Profile): Profile {
  return { ...one, isCompared: true }
}

export const PROFILES: readonly Profile[] = [
  profile('minimal', [MINIMAL]),
  onTopOfMinimal('high-availability'),
  profile('external', [path.join(FOLDER, 'external.yaml')]),
  ...['air-gapped', 'openshift', 'cert-manager', 'keda'].map((name) => compared(onTopOfMinimal(name))),
  EVALUATION,
]
