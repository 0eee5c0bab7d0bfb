// Draws what viewers would draw each in their own way: the values of fields, with fonts that have every character, and notes. Sets the print flag of what shows.
import { PDFArray, PDFBool, PDFDict, PDFDocument, PDFName, PDFNumber, PDFPage, type PDFRef } from 'pdf-lib'
import type { MissingAppearance } from '#core/pdf/inspect/faces/appearance-check.ts'
import { annotationFlaws } from '#core/pdf/normalise/annotation-flaws.ts'
import { tooComplex } from '#core/pdf/pdf-error.ts'
import { openTextPainter } from '../paint-text.ts'
import { readAppearanceStyle } from './appearance-style.ts'
import { opacityOf, shapeContent } from './shape-content.ts'
import { buttonContent, textContent } from './text-content.ts'

const MAX_APPEARANCES = 2_000
const [AP, AS, OFF, FLAGS] = [PDFName.of('AP'), PDFName.of('AS'), PDFName.of('Off'), PDFName.of('F')]
const PRINT = 4

/** The document with the missing appearances, and a form that asks for none. Throws DOCUMENT_INVALID for text that no font has. */
export async function drawAppearances(bytes: Buffer): Promise<Buffer> {
  const { missing, unprinted } = annotationFlaws(bytes)
  if (missing.length > MAX_APPEARANCES) throw tooComplex('too many of its fields have no appearance')
  const document = await PDFDocument.load(bytes, { updateMetadata: false, preserveXFA: true })
  const { context } = document
  // The fonts of all appearances are the resources of a page that is not part of the document.
  const scratch = PDFPage.create(document)
  const painter = openTextPainter(document, scratch, 'appearances')
  const resources = context.nextRef()
  const form = (content: string, box: readonly number[], matrix: readonly number[], used: PDFRef | PDFDict = resources): PDFRef =>
    context.register(
      context.flateStream(content, {
        Type: 'XObject',
        Subtype: 'Form',
        BBox: [...box],
        Matrix: [...matrix],
        Resources: used,
      }),
    )
  for (const each of missing) {
    const annotation = annotationOf(document, each)
    const style = readAppearanceStyle(annotation, each)
    const box = [0, 0, style.width, style.height]
    if (each.kind === 'shape') {
      const opacity = opacityOf(annotation)
      const states = context.obj({ ExtGState: { Opacity: { CA: opacity, ca: opacity } } })
      const content = `/Opacity gs\n${shapeContent(annotation, each)}`
      annotation.set(AP, context.obj({ N: form(content, box, style.matrix, states) }))
      continue
    }
    const content = each.kind === 'button' ? buttonContent(style) : await textContent(painter, style, each)
    if (each.kind === 'button') setStates(annotation, each, form(content, box, style.matrix), form('', box, style.matrix))
    else annotation.set(AP, context.obj({ N: form(content, box, style.matrix) }))
  }
  for (const each of unprinted) setPrint(annotationOf(document, each))
  context.assign(resources, scratch.node.Resources() ?? context.obj({}))
  context.delete(scratch.ref)
  const acroForm = document.catalog.lookup(PDFName.of('AcroForm'))
  if (acroForm instanceof PDFDict) acroForm.set(PDFName.of('NeedAppearances'), PDFBool.False)
  const written = await document.save({
    useObjectStreams: false,
    updateFieldAppearances: false,
    addDefaultPage: false,
    objectsPerTick: Infinity,
  })
  return Buffer.from(written.buffer, written.byteOffset, written.byteLength)
}

function setPrint(annotation: PDFDict): void {
  const flags = annotation.lookup(FLAGS)
  annotation.set(FLAGS, PDFNumber.of((flags instanceof PDFNumber ? flags.asNumber() : 0) | PRINT))
}

function annotationOf(document: PDFDocument, { page, index }: Pick<MissingAppearance, 'page' | 'index'>): PDFDict {
  const list = document.getPage(page.index).node.lookup(PDFName.of('Annots'), PDFArray)
  return list.lookup(index, PDFDict)
}

/** The state that the button is in, and the other one. */
function setStates(annotation: PDFDict, { value }: MissingAppearance, on: PDFRef, off: PDFRef): void {
  const state = annotation.lookup(AS)
  const isWidgetOfGroup = !annotation.has(PDFName.of('FT')) && annotation.has(PDFName.of('Parent'))
  const isOn = state instanceof PDFName ? state !== OFF : !isWidgetOfGroup
  const name = state instanceof PDFName && isOn ? state : PDFName.of(value.text)
  annotation.set(AP, annotation.context.obj({ N: { [name.decodeText()]: on, Off: off } }))
  annotation.set(AS, isOn ? name : OFF)
}
