// The dashboard for Grafana: what an operator looks at first, one row of panels a question.

interface Panel {
  title: string
  expr: string
  legend: string
  unit?: string
}

const DATASOURCE = { type: 'prometheus', uid: '${datasource}' }
const WIDTH = 8
const HEIGHT = 8
const COLUMNS = 3
const OWN = 'namespace="$namespace"'

const PANELS: readonly Panel[] = [
  {
    title: 'Requests per second',
    expr: `sum by (status) (rate(sealwright_http_request_duration_seconds_count{${OWN}}[5m]))`,
    legend: '{{status}}',
    unit: 'reqps',
  },
  {
    title: 'Duration of requests, 99 %',
    expr: `histogram_quantile(0.99, sum by (le) (rate(sealwright_http_request_duration_seconds_bucket{${OWN}}[5m])))`,
    legend: '99 %',
    unit: 's',
  },
  { title: 'Failing checks', expr: `count by (check) (sealwright_check_ok{${OWN}} == 0)`, legend: '{{check}}' },
  { title: 'Oldest job', expr: `max by (kind) (sealwright_work_oldest_age_seconds{${OWN}})`, legend: '{{kind}}', unit: 's' },
  { title: 'Waiting jobs', expr: `max by (kind) (sealwright_work_waiting{${OWN}})`, legend: '{{kind}}' },
  {
    title: 'Waiting work, as the time of one pod',
    expr: `max by (role) (sealwright_work_waiting_seconds{${OWN}})`,
    legend: '{{role}}',
    unit: 's',
  },
  { title: 'Dead-lettered jobs', expr: `max by (kind) (sealwright_work_dead_lettered{${OWN}})`, legend: '{{kind}}' },
  {
    title: 'From the last signature to the sealed copy, 95 %',
    expr: `histogram_quantile(0.95, sum by (le) (rate(sealwright_work_delay_seconds_bucket{kind="seal",${OWN}}[15m])))`,
    legend: '95 %',
    unit: 's',
  },
  {
    title: 'Attempts to deliver webhooks',
    expr: `sum by (outcome) (rate(sealwright_webhook_attempts_total{${OWN}}[5m]))`,
    legend: '{{outcome}}',
    unit: 'ops',
  },
  { title: 'Disabled webhooks', expr: `max by (reason) (sealwright_webhooks_disabled{${OWN}})`, legend: '{{reason}}' },
  {
    title: 'Until certificates expire',
    expr: `min by (key) (sealwright_signing_key_expiry_seconds{${OWN}})`,
    legend: '{{key}}',
    unit: 's',
  },
  {
    title: 'Age of the oldest change that Kubernetes lacks',
    expr: `max(sealwright_mirror_outbox_age_seconds{${OWN}})`,
    legend: 'age',
    unit: 's',
  },
  { title: 'Memory', expr: `sum by (pod) (process_resident_memory_bytes{${OWN}})`, legend: '{{pod}}', unit: 'bytes' },
]

/** Dashboard as Grafana imports it. */
export function dashboard(): object {
  return {
    uid: 'sealwright',
    title: 'Sealwright',
    tags: ['sealwright'],
    schemaVersion: 39,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: {
      list: [
        { name: 'datasource', type: 'datasource', query: 'prometheus' },
        {
          name: 'namespace',
          type: 'query',
          datasource: DATASOURCE,
          query: 'label_values(sealwright_check_ok, namespace)',
          refresh: 2,
        },
      ],
    },
    panels: PANELS.map(panel),
  }
}

function panel({ title, expr, legend, unit = 'short' }: Panel, index: number): object {
  return {
    id: index + 1,
    type: 'timeseries',
    title,
    datasource: DATASOURCE,
    gridPos: { x: (index % COLUMNS) * WIDTH, y: Math.floor(index / COLUMNS) * HEIGHT, w: WIDTH, h: HEIGHT },
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    targets: [{ refId: 'A', datasource: DATASOURCE, expr, legendFormat: legend }],
  }
}
