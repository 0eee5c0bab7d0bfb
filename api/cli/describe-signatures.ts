// The signatures of a file in lines for a person: who, when, what it covers, what came after it, and who signed.
import type { ListedSignature } from '#core/pades/signatures/list-signatures.ts'
import { toVisibleLine } from '#core/platform/text/visible-text.ts'

const COVERS: Record<ListedSignature['covers'], string> = {
  WHOLE_FILE: 'covers the whole file',
  EARLIER_REVISION: 'covers an earlier revision',
}
const LATER: Record<ListedSignature['laterChanges'], string> = {
  NONE: 'nothing was added after it',
  PERMITTED: 'only what it permits was added after it',
  NOT_PERMITTED: 'CHANGED AFTER IT',
}

/** Oldest first; nothing for a file without signatures. */
export function describeSignatures(signatures: readonly ListedSignature[]): string[] {
  if (signatures.length === 0) return []
  return ['', '  Signatures, oldest first:', ...signatures.flatMap(describe)]
}

function describe(signature: ListedSignature, index: number): string[] {
  const { signedBy, signedAt, intact, covers, laterChanges, signers, problem } = signature
  const kind = signature.timeStamp === true ? 'time stamp by ' : ''
  const state = [intact ? 'intact' : 'BROKEN', COVERS[covers], LATER[laterChanges]].join(', ')
  return [
    `  ${index + 1}. ${kind}${toVisibleLine(signedBy ?? 'an unreadable certificate')}, ${signedAt?.toISOString() ?? 'no time'}`,
    `     ${state}`,
    ...(problem === undefined ? [] : [`     ${problem}`]),
    ...(signers === undefined ? [] : [`     signers: ${signers.map(toVisibleLine).join(', ')}`]),
  ]
}
