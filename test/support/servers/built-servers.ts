// Global set-up of the projects whose tests start servers of their own: on a fresh machine these are built here, which takes minutes that no hook has.
import { ensureTool } from '../../../hack/servers/ensure-tool.ts'

export default async function buildServers(): Promise<void> {
  await ensureTool('nats-server')
  await ensureTool('versitygw')
}
