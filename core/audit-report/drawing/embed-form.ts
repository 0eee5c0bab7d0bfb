// Inserts a drawn seal into a report as a Form XObject, exactly as it is in the documents.
import { type PDFDocument, PDFObjectParser, type PDFRef } from 'pdf-lib'
import type { BundleObject } from '#core/pdf/increment/form-bundle.ts'
import { decodeForm } from '#core/pdf/increment/form-codec.ts'
import { bytesOf } from '#core/pdf/read/syntax.ts'

export interface EmbeddedForm {
  ref: PDFRef
  /** Points. */
  width: number
  height: number
}

/** Embeds the first layout of an encoded form. Throws Error for bytes that are not one. */
export function embedForm(document: PDFDocument, encoded: Uint8Array): EmbeddedForm {
  const { context } = document
  const { objects, layouts, width, height } = decodeForm(Buffer.from(encoded))
  const ref = context.nextRef()
  const refs = objects.map((_, index) => (index === 0 ? ref : context.nextRef()))
  for (const [index, object] of objects.entries()) {
    const own = refs[index]
    const isOtherLayout = index > 0 && index < layouts
    if (own && !isOtherLayout) context.assign(own, PDFObjectParser.forBytes(writeObject(object, refs), context).parseObject())
  }
  return { ref, width, height }
}

function writeObject({ body, data }: BundleObject, refs: readonly PDFRef[]): Buffer {
  const parts = body.map((piece) => (typeof piece === 'number' ? String(refs[piece]) : piece))
  return bytesOf(...parts, ...(data === null ? [] : ['\nstream\n', data, '\nendstream']))
}
