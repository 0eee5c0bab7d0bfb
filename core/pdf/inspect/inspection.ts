// What the inspection of an upload finds out. Stored with the document as JSON; when the envelope is sealed, the original is not
// parsed again.
import type { SealPlan } from '../plan/seal-plan.ts'

/** Where the document asks for a signer's seal: the place of one {{signerN}} text, in the page's default user space. */
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
}

export interface Inspection {
  pageCount: number
  /** In the order of pages and, on a page, of drawing; each place once. */
  markers: Marker[]
  /** What a seal needs of the pages with markers and of the last page. */
  site: SealPlan
  /** Signatures that the document carries already, time stamps included. */
  signatures: number
  /** Permission level of an earlier certification (ISO 32000-2, table 257); level 1 is refused. */
  certification: 2 | 3 | null
}

export interface InspectionOptions {
  /** Refuse scripts and actions that run programs, send data or open files by themselves. */
  refuseActiveContent: boolean
}
