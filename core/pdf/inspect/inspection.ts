// The result of inspecting an upload. Stored with the document as JSON, so that neither sealing nor the signing page parses the original.
import type { Inspected } from '../placement/place-seals.ts'
import type { SealPlaces } from '../placement/seal-places.ts'
import type { UploadWarning } from '../upload-warning.ts'

export interface Inspection extends Inspected {
  /** Number of existing signatures, time stamps included. */
  signatures: number
  /** Where the seals of the usual sets of signers go. */
  places: SealPlaces
  /** Warnings in page order; those of the whole document come first. */
  warnings: UploadWarning[]
}

/** What is stored apart: places are read with every signing page, ink only for a set of signers without places. */
export type StoredInspection = Omit<Inspection, 'places' | 'ink'>

export interface InspectionOptions {
  /** Refuse scripts and actions that run programs, send data or open files without a click. */
  refuseActiveContent: boolean
}

export interface UploadOptions extends InspectionOptions {
  /** Normalise an irregular or needlessly encrypted file without signatures, instead of refusing it. */
  repairDocuments: boolean
}

/** How an upload became the document that was inspected. */
export interface Normalisation {
  /** A sentence: what was irregular. */
  reason: string
  /** Size of the normalised file. */
  sizeBytes: number
  sha256: Buffer
}

export interface InspectedUpload {
  inspection: Inspection
  /** Null for a file that was accepted as it is. */
  normalisation: Normalisation | null
}
