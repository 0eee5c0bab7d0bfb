// `kubectl sealwright status`
import type { Cluster } from '../cluster.ts'
import { conditionOf } from '../condition-of.ts'
import type { Report } from '../report.ts'
import { type ClusterState, readClusterState } from './cluster-state.ts'
import { type Finding, type Findings, findingsOf, isAllWell } from './findings.ts'

/** One screen about the installation. Not ok if something needs attention. */
export async function showStatus(cluster: Cluster, now: Date): Promise<Report> {
  const state = await readClusterState(cluster)
  const findings = findingsOf(state, now)
  const ok = isAllWell(findings)
  return {
    ok,
    lines: describe(state, findings, ok),
    json: { ok, namespace: state.namespace, counts: countsOf(state), ...findings },
  }
}

function countsOf({ webhooks, keys }: ClusterState) {
  return {
    webhooks: webhooks.length,
    suspended: webhooks.filter((each) => conditionOf(each, 'Suspended')?.status === 'True').length,
    keys: keys.length,
  }
}

function describe(state: ClusterState, findings: Findings, ok: boolean): string[] {
  const { webhooks, suspended, keys } = countsOf(state)
  const { leader, outboxAgeSeconds } = findings
  return [
    `leader: ${leader ? leader.holder : 'none'}`,
    `outbox: ${outboxAgeSeconds === null ? 'unknown' : outboxAgeSeconds === 0 ? 'empty' : `oldest change ${outboxAgeSeconds} s`}`,
    `webhooks: ${webhooks}${suspended > 0 ? `, ${suspended} suspended` : ''}`,
    `signing keys: ${keys}`,
    ...chapter('controller', findings.controller),
    ...chapter('unhealthy webhooks', findings.unhealthyWebhooks),
    ...chapter('signing keys that are not ready', findings.unreadyKeys),
    ...chapter('expiring signing keys', findings.expiringKeys),
    ...chapter('orphans', findings.orphans),
    ok ? 'Nothing needs attention.' : 'Something needs attention.',
  ]
}

function chapter(title: string, findings: readonly Finding[]): string[] {
  if (findings.length === 0) return []
  return [`${title}:`, ...findings.map(({ object, reason, message }) => `  ${object ? `${object}: ` : ''}${reason}: ${message}`)]
}
