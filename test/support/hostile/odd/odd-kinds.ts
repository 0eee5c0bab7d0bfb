// Every kind of oddity in an upload.
import { CONTENT_KINDS } from './odd-content.ts'
import type { OddKind } from './odd-document.ts'
import { FACE_KINDS } from './odd-faces.ts'
import { FILE_KINDS } from './odd-files.ts'
import { REFERENCE_KINDS } from './odd-references.ts'

export const ODD_KINDS: readonly OddKind[] = [...CONTENT_KINDS, ...REFERENCE_KINDS, ...FILE_KINDS, ...FACE_KINDS]
