import { apiClient } from '../clients/api-client.ts'
import type { TestService } from '../servers/test-service.ts'

/** An envelope's signer statuses in order, as the organisation sees them at the database clock's time. */
export async function signerStatuses({ url, organisation }: TestService, id: string): Promise<string[]> {
  const client = await apiClient(url, organisation)
  return (await client.get(`/api/v1/envelopes/${id}`)).body.signers.map(({ status }: { status: string }) => status)
}
