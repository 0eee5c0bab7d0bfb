// What an operator runs to replace a signing key.

/** The command for a key that no Kubernetes object decides about. */
export function replacingCommand({ selfMade, orgId }: { selfMade: boolean; orgId: string | null }): string {
  if (selfMade) return 'sealwright key rotate'
  return `sealwright key import --p12 FILE${orgId === null ? '' : ` --org ${orgId}`}`
}

/** Why a key that was not made here is not rotated by a request. */
export function needsMaterial(orgId: string | null): string {
  return `Only a self-signed key of this installation can be rotated. Import the next version of this one: ${replacingCommand({ selfMade: false, orgId })}`
}
