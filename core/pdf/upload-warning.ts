// What an accepted upload should make its uploader aware of. Part of the inspection, and of the upload's answer.

/** The schema of the API lists the same codes. */
export type UploadWarningCode =
  | 'NORMALISED'
  | 'FORM_FIELDS_LOCKED'
  | 'SCRIPTS_DROPPED'
  | 'PRINT_FLAGS_SET'
  | 'SHOWN_NOT_PRINTED'
  | 'SEAL_OVERLAPS_TEXT'

export interface UploadWarning {
  code: UploadWarningCode
  /** Counted from 0; null when the warning concerns the whole document. */
  page: number | null
  /** The marker concerned, such as {{signer1}}. */
  marker?: string
  /** A sentence for the uploader. */
  message: string
}
