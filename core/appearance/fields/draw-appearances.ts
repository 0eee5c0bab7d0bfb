// Draws what viewers would draw each in their own way: the values of fields and the text of notes, with fonts that have every character.
import { PDFArray, PDFBool, PDFDict, PDFDocument, PDFName, PDFPage, type PDFRef } from 'pdf-lib'
import type { MissingAppearance } from '#core/pdf/inspect/faces/appearance-check.ts'
import { missingAppearances } from '#core/pdf/normalise/missing-appearances.ts'
import { tooComplex } from '#core/pdf/pdf-error.ts'
import { openTextPainter } from '../paint-text.ts'
import { readAppearanceStyle } from './appearance-style.ts'
import { buttonContent, textContent } from './text-content.ts'

const MAX_APPEARANCES = 2_000
const [AP, AS, OFF] = [PDFName.of('AP'), PDFName.of('AS'), PDFName.of('Off')]

/** The document with the missing appearances, and a form that asks for none. Throws DOCUMENT_INVALID for text that no font has. */
export async function drawAppearances(bytes: Buffer): Promise<Buffer> {
  const missing = missingAppearances(bytes)
  if (missing.length > MAX_APPEARANCES) throw tooComplex('too many of its fields have no appearance')
  const document = await PDFDocument.load(bytes, { updateMetadata: false, preserveXFA: true })
  const { context } = document
  // The fonts of all appearances are the resources of a page that is not part of the document.
  const scratch = PDFPage.create(document)
  const painter = openTextPainter(document, scratch, 'appearances')
  const resources = context.nextRef()
  const form = (content: string, box: readonly number[], matrix: readonly number[]): PDFRef =>
    context.register(
      context.flateStream(content, {
        Type: 'XObject',
        Subtype: 'Form',
        BBox: [...box],
        Matrix: [...matrix],
        Resources: resources,
      }),
    )
  for (const each of missing) {
    const annotation = annotationOf(document, each)
    const style = readAppearanceStyle(annotation, each)
    const content = each.kind === 'button' ? buttonContent(style) : await textContent(painter, style, each)
    const box = [0, 0, style.width, style.height]
    if (each.kind === 'button') setStates(annotation, each, form(content, box, style.matrix), form('', box, style.matrix))
    else annotation.set(AP, context.obj({ N: form(content, box, style.matrix) }))
  }
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

function annotationOf(document: PDFDocument, { page, index }: MissingAppearance): PDFDict {
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
