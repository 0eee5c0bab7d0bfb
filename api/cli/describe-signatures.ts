// The signatures of a file in lines for a person: who, when, what it covers, what came after it, and who signed.
import type { JudgedSignature } from '#core/pades/verify-document.ts'
import { toVisibleLine } from '#core/platform/text/visible-text.ts'

const COVERS: Record<JudgedSignature['covers'], string> = {
  WHOLE_FILE: 'covers the whole file',
  EARLIER_REVISION: 'covers an earlier revision',
}
const LATER: Record<JudgedSignature['laterChanges'], string> = {
  NONE: 'nothing was added after it',
  PERMITTED: 'only what it permits was added after it',
  NOT_PERMITTED: 'CHANGED AFTER IT',
}

/** Oldest first; nothing for a file without signatures. */
export function describeSignatures(signatures: readonly JudgedSignature[]): string[] {
  if (signatures.length === 0) return []
  return ['', '  Signatures, oldest first:', ...signatures.flatMap(describe)]
}

const NOT_CHECKED = ' (added after the seal; who signed was not checked)'

function describe(signature: JudgedSignature, index: number): string[] {
  const { intact, covers, laterChanges, problem } = signature
  const state = [intact ? 'intact' : 'BROKEN', `${COVERS[covers]}${extentOf(signature)}`, LATER[laterChanges]].join(', ')
  return [
    `  ${index + 1}. ${describeSigner(signature)}`,
    `     ${state}`,
    ...(problem === undefined ? [] : [`     ${problem}`]),
    ...describeNames(signature),
  ]
}

function describeSigner({ signedBy, signedAt, timeStamp, role }: JudgedSignature): string {
  const kind = timeStamp === true ? 'time stamp by ' : ''
  const name = toVisibleLine(signedBy ?? 'an unreadable certificate')
  return `${kind}${name}${role === 'LATER' ? NOT_CHECKED : ''}, ${signedAt?.toISOString() ?? 'no time'}`
}

function extentOf({ covers, coveredBytes }: JudgedSignature): string {
  return covers === 'EARLIER_REVISION' && coveredBytes !== undefined ? ` (the first ${coveredBytes} bytes)` : ''
}

function describeNames({ signers, role }: JudgedSignature): string[] {
  if (signers === undefined) return []
  return [`     signers${role === 'LATER' ? ' that it names' : ''}: ${signers.map(toVisibleLine).join(', ')}`]
}
