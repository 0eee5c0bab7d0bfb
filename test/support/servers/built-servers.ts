// Global set-up of projects that start their own servers: builds them, because a new machine needs minutes, longer than any hook's
// time-out.
import { ensureTool } from '../../../hack/servers/ensure-tool.ts'

export default async function buildServers(): Promise<void> {
  await ensureTool('nats-server')
  await ensureTool('versitygw')
}
