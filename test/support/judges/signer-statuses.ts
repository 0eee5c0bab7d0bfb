import { apiClient } from '../clients/api-client.ts'
import type { TestService } from '../servers/test-service.ts'

/** The statuses of an envelope's signers in their order, as the organisation sees them now, whatever the clock of the database has been moved to. */
export async function signerStatuses({ url, organisation }: TestService, id: string): Promise<string[]> {
  const client = await apiClient(url, organisation)
  return (await client.get(`/api/v1/envelopes/${id}`)).body.signers.map(({ status }: { status: string }) => status)
}
