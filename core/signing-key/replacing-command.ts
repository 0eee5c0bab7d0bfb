// What an operator runs to replace a signing key.

/** The command for a key that no Kubernetes object decides about. */
export function replacingCommand({ selfMade, orgId }: { selfMade: boolean; orgId: string | null }): string {
  if (selfMade) return 'sealwright key rotate'
  return `sealwright key import --p12 FILE${orgId === null ? '' : ` --org ${orgId}`}`
}
