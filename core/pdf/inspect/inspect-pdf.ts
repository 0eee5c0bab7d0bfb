// Checks an upload: can it be displayed, sealed and trusted not to change what it shows, and where do its seals go? Order of the checks:
// readable, allowed to be sealed, within the budget.
import { newBudget, PDF_LIMITS } from '../budget.ts'
import type { ByteSource } from '../read/byte-source.ts'
import { readAcroForm } from '../read/form-fields.ts'
import { malformed, PdfError } from '../pdf-error.ts'
import { FORM_FILLING_ONLY, type Inspected, placeSeals } from '../placement/place-seals.ts'
import { planPlaces } from '../placement/plan-places.ts'
import { openPdf, type PdfFile } from '../read/pdf-file.ts'
import { readSealPlan, type SealPlan } from '../plan/seal-plan.ts'
import { isNull } from '../read/value.ts'
import { openContentCheck } from './active-content.ts'
import { lacksPrintFlag, openAnnotationCheck, splitError, type SplitAnnotation, unprintedWarning } from './annotation-faces.ts'
import { readCertification } from './certification.ts'
import { contentError } from './content-flaws.ts'
import { openWorkCheck } from './drawing-work.ts'
import { findMarkers } from './find-markers.ts'
import { readInk } from './ink/read-ink.ts'
import type { Inspection, InspectionOptions } from './inspection.ts'
import type { Marker } from '../placement/marker-text.ts'
import { checkSealable } from './check-sealable.ts'
import { appearanceError, openAppearanceCheck } from './faces/appearance-check.ts'
import { openDirectionCheck } from './faces/cmap-direction.ts'
import { checkParts } from './faces/content-parts.ts'
import { openFaceCheck } from './faces/face-check.ts'
import { openPrinterContentCheck } from './faces/printer-content.ts'
import { openRepeatedKeyCheck } from './faces/repeated-keys.ts'
import { visitLiveObjects } from './live-objects.ts'
import type { UploadWarning } from '../upload-warning.ts'

/** Longer page contents are not searched for free space: usual pages have less than 1 MiB. */
const MAX_INK_BYTES = 16 * 1024 * 1024

/**
 * Inspects a document. Throws PdfError: DOCUMENT_INVALID, DOCUMENT_ENCRYPTED, DOCUMENT_XFA, DOCUMENT_CHANGES_LOCKED,
 * DOCUMENT_ACTIVE_CONTENT (unless switched off) and DOCUMENT_TOO_COMPLEX. Signed documents are accepted. The caller limits time and memory:
 * a hostile document can reach the limits of the budget.
 */
export function inspectPdf(source: ByteSource, options: InspectionOptions): Inspection {
  const file = openPdf(source, newBudget(PDF_LIMITS))
  // Validators refuse the sealed copy of such a file.
  if (file.headerOffset > 0) throw malformed('there are bytes before its header')
  refuseXfa(file)
  const certification = readCertification(file)
  checkObjects(file, options)
  let unprinted: SplitAnnotation | undefined
  const checkAnnotations = openAnnotationCheck(file, (found) => {
    if (!options.refuseActiveContent) return
    if (!lacksPrintFlag(found)) throw splitError(found)
    unprinted ??= found
  })
  const checkAppearances = openAppearanceCheck(file, (missing) => {
    throw appearanceError(missing)
  })
  let openEnd: PdfError | undefined
  const checkWork = openWorkCheck(file, (flaw, page, drawing) => {
    if (flaw.kind !== 'open') throw contentError(flaw, page, drawing)
    openEnd ??= contentError(flaw, page, drawing)
  })
  const longPages = new Set<number>()
  const found = findMarkers(file, (page, content) => {
    if (content.bytes.length > MAX_INK_BYTES) longPages.add(page.index)
    checkParts(file, page, content)
    checkAnnotations(page)
    checkAppearances(page)
    checkWork(page, content.bytes)
  })
  const { pageCount } = found
  const pages = [...new Set([...found.markers.map((marker) => marker.page), pageCount - 1])]
  const plan = readSealPlan(file, pages)
  // The seal of a signed document is not drawn into the page.
  if (openEnd !== undefined && plan.signatures === 0) throw openEnd
  if (unprinted !== undefined && plan.signatures === 0) throw splitError(unprinted)
  checkSealable(file, plan, certification !== FORM_FILLING_ONLY)
  const { ink, markers: shown } = readInk(file, found.markers, pages, longPages)
  const markers = usableMarkers({ pageCount, markers: shown, plan, certification, ink })
  const inspected = { pageCount, markers, plan, certification, ink }
  const { places, warnings } = planPlaces(inspected)
  const printWarnings = unprinted === undefined ? [] : [unprintedWarning(unprinted)]
  return { ...inspected, signatures: plan.signatures, places, warnings: [...formWarnings(plan), ...printWarnings, ...warnings] }
}

function checkObjects(file: PdfFile, { refuseActiveContent }: InspectionOptions): void {
  const face = openFaceCheck(file)
  const keys = openRepeatedKeyCheck(file)
  const directions = openDirectionCheck(file)
  const printerContent = openPrinterContentCheck(file)
  const checkContent = refuseActiveContent ? openContentCheck(file) : undefined
  visitLiveObjects(file, {
    ...face.visitor,
    dictionary(dict, place) {
      checkContent?.(dict, place)
      if (refuseActiveContent) printerContent.dictionary(dict, place)
      keys.dictionary(dict, place)
      directions.dictionary(dict)
    },
  })
  printerContent.finish()
  face.finish()
  keys.finish()
  directions.finish()
}

/**
 * The markers of a signed document, or none where a seal at one of them would cover something, such as the earlier seal there, but the last
 * page has room for all: earlier seals do not permit that later ones cover what they show.
 */
function usableMarkers(inspected: Inspected): Marker[] {
  const { markers, plan } = inspected
  const signers = [...new Set(markers.map(({ signOrder }) => signOrder))].map((signOrder) => ({ signOrder }))
  const overlaps = (used: Marker[]): boolean => placeSeals({ ...inspected, markers: used }, signers).some((seal) => seal.overlaps)
  return plan.signatures > 0 && overlaps(markers) && !overlaps([]) ? [] : markers
}

/** Viewers with XFA support show the XFA form instead of the pages (ISO 32000-1, 12.7.8; removed in PDF 2.0). */
function refuseXfa(file: PdfFile): void {
  const xfa = file.resolve(readAcroForm(file)?.entries.get('XFA'))
  const rendering = file.resolve(file.catalog().entries.get('NeedsRendering'))
  if (isNull(xfa) && !(rendering.kind === 'keyword' && rendering.word === 'true')) return
  throw new PdfError('DOCUMENT_XFA', 'The document is an XFA form. Print it to a plain PDF and upload that.')
}

function formWarnings({ fillableFields, scriptsDropped }: SealPlan): UploadWarning[] {
  const warnings: UploadWarning[] = []
  if (fillableFields > 0)
    warnings.push({
      code: 'FORM_FIELDS_LOCKED',
      page: null,
      message: `The seal locks the form: ${fields(fillableFields)} can no longer be filled in after signing.`,
    })
  if (scriptsDropped > 0)
    warnings.push({
      code: 'SCRIPTS_DROPPED',
      page: null,
      message: `The sealed copy does not have the scripts that format ${fields(scriptsDropped)} of the form.`,
    })
  return warnings
}

function fields(count: number): string {
  return count === 1 ? 'one field' : `${count} fields`
}
