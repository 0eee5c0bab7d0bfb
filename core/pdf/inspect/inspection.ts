// The result of inspecting an upload. Stored with the document as JSON, so that neither sealing nor the signing page parses the original.
import type { SealPlan } from '../plan/seal-plan.ts'
import type { PageInk } from '../placement/ink-grid.ts'
import type { SealPlaces } from '../placement/seal-places.ts'
import type { UploadWarning } from './upload-warning.ts'

/** The position of one {{signerN}} text, in the page's default user space. */
export interface Marker {
  /** The N of {{signerN}}. */
  signOrder: number
  /** Counted from 0. */
  page: number
  /** Origin of the marker's first character on the baseline: points, before /Rotate and /UserUnit. */
  x: number
  y: number
  /** Direction in which the text runs: degrees counter-clockwise from the x axis, above -180 and up to 180. */
  angle: number
  /** Height of the text in points. */
  height: number
  /** Length of the text, in user space; absent where it could not be read. */
  width?: number
}

export interface Inspection {
  pageCount: number
  /** In page order and, within a page, in drawing order; each position once. */
  markers: Marker[]
  /** The seal plan for the pages with markers and the last page. */
  plan: SealPlan
  /** Number of existing signatures, time stamps included. */
  signatures: number
  /** Permission level of an earlier certification (ISO 32000-2, table 257); level 1 is refused. */
  certification: 2 | 3 | null
  /** What is on the pages of the plan. */
  ink: PageInk[]
  /** Where the seals of the usual sets of signers go. */
  places: SealPlaces
  /** In page order; those of the whole document come first. */
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
  /** Of the normalised file. */
  sizeBytes: number
  sha256: Buffer
}

export interface InspectedUpload {
  inspection: Inspection
  /** Null for a file that was accepted as it is. */
  normalisation: Normalisation | null
}
