// CEL rules that both kinds share.
import type { CelRule } from './kind.ts'

const ORIGIN = (object: string) => `(has(${object}.origin) ? ${object}.origin : 'Kubernetes')`

/** Absence means Kubernetes, so it may be written out later. */
export const ORIGIN_IS_IMMUTABLE: CelRule = {
  rule: `${ORIGIN('self')} == ${ORIGIN('oldSelf')}`,
  message: 'origin is immutable.',
  fieldPath: '.origin',
}

/** Other objects carry the name as a label. */
export const LABEL_LENGTH: CelRule = {
  rule: 'self.metadata.name.size() <= 63',
  message: 'The name must have at most 63 characters.',
}
