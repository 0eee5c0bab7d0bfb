// The ConfigMap `sealwright-status`, which `kubectl sealwright status` reads: people who may use kubectl need no access to the database.
import type { KubeObject, Resource } from '#core/platform/kubernetes/kube-object.ts'
import { objectPath } from '#core/platform/kubernetes/kube-object.ts'
import { KubeError } from '#core/platform/kubernetes/kube-error.ts'
import { applyObject, type Requests } from '../runtime/object-calls.ts'
import type { SweepReport } from './kind.ts'

const CONFIG_MAPS: Resource = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap' }
export const STATUS_MAP = 'sealwright-status'
/** A human accepts that objects or rows disappeared, with the time that `problemsSince` shows. */
const ACCEPT = 'sealwright.io/accept-loss'

export interface OperatorStatus extends SweepReport {
  leader: string
  outboxAgeSeconds: number
}

interface ConfigMap extends KubeObject {
  data?: Record<string, string>
}

/** Writes the status if it says something new; the age of the outbox counts by whole ten seconds. */
export class StatusMap {
  readonly #kube: Requests
  readonly #namespace: string
  #written: string | undefined

  constructor(kube: Requests, namespace: string) {
    this.#kube = kube
    this.#namespace = namespace
  }

  async write({ leader, outboxAgeSeconds, orphans, problems }: OperatorStatus, signal: AbortSignal): Promise<void> {
    const data = {
      leader,
      outboxAgeSeconds: String(Math.floor(outboxAgeSeconds / 10) * 10),
      orphans: JSON.stringify(orphans),
      problems: JSON.stringify(problems),
    }
    const text = JSON.stringify(data)
    if (text === this.#written) return
    const metadata = { name: STATUS_MAP, namespace: this.#namespace, labels: { 'app.kubernetes.io/name': 'sealwright' } }
    const map: ConfigMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data }
    await applyObject(this.#kube, CONFIG_MAPS, map, { manager: 'sealwright-controller', force: true, signal })
    this.#written = text
  }

  /** The value of the annotation with which a human accepts a loss. */
  async accepted(signal: AbortSignal): Promise<string | undefined> {
    try {
      const path = objectPath(CONFIG_MAPS, this.#namespace, STATUS_MAP)
      const { metadata } = await this.#kube.requests.request<ConfigMap>({ method: 'GET', path, signal })
      return metadata.annotations?.[ACCEPT]
    } catch (error) {
      if (error instanceof KubeError && error.status === 404) return undefined
      throw error
    }
  }
}
