// Global set-up of the chart's tests: builds Helm and kubeconform, which takes longer than any hook on a new machine.
import { ensureTool } from '../../../hack/servers/ensure-tool.ts'

export default async function buildChartTools(): Promise<void> {
  await ensureTool('helm')
  await ensureTool('kubeconform')
}
