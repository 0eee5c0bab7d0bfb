// Writes a damaged or encrypted document again with a PDF library that reads objects in file order, without the cross-reference table. Streams keep their
// bytes (without their encryption), so pages look the same.
import { ParseSpeeds, PDFDict, PDFDocument, PDFName } from 'pdf-lib'
import { checkLoaded, refuseCutObject, refuseLostCatalog } from './check-loaded.ts'
import { dropUnreachable } from './drop-unreachable.ts'
import { rebuildPageTree } from './rebuild-page-tree.ts'

const PERMISSIONS = PDFName.of('Perms')

/** Library errors have no common class; this one covers all of them. */
export class RewriteError extends Error {
  override readonly name = 'RewriteError'
}

/**
 * The document written again without the objects in `unlisted`, which viewers read as null; a file that is encrypted with the empty user password is decrypted.
 * Throws RewriteError for a file that the library cannot read, and PdfError when a page, its content or the newest version of an object is missing. The caller
 * inspects the result and limits time and memory.
 */
export async function rewritePdf(bytes: Buffer, unlisted: ReadonlySet<number>): Promise<Buffer> {
  refuseCutObject(bytes)
  const document = await load(bytes)
  const { context } = document
  checkLoaded(context, context.trailerInfo.Encrypt === undefined)
  refuseLostCatalog(context, bytes)
  for (const [ref] of context.enumerateIndirectObjects()) if (unlisted.has(ref.objectNumber)) context.delete(ref)
  const catalog = context.lookup(context.trailerInfo.Root)
  if (!(catalog instanceof PDFDict)) throw new RewriteError('the file has no catalog')
  rebuildPageTree(context, catalog)
  // Usage rights do not hold for another file; a document with other permissions is signed and never comes here.
  catalog.delete(PERMISSIONS)
  delete context.trailerInfo.Encrypt
  dropUnreachable(context)
  const written = await document.save({
    useObjectStreams: bytes.includes('/ObjStm'),
    updateFieldAppearances: false,
    addDefaultPage: false,
    objectsPerTick: Infinity,
  })
  return Buffer.from(written.buffer, written.byteOffset, written.byteLength)
}

async function load(bytes: Buffer): Promise<PDFDocument> {
  try {
    return await PDFDocument.load(bytes, {
      password: '',
      updateMetadata: false,
      preserveXFA: true,
      parseSpeed: ParseSpeeds.Fastest,
    })
  } catch (error) {
    if (error instanceof RangeError) throw error
    const readable = withoutTail(bytes) ?? withId(bytes)
    if (readable !== undefined) return load(readable)
    throw new RewriteError('the PDF library cannot read the file', { cause: error })
  }
}

/** A truncated file up to its last whole object: the library finds the catalog without a trailer, but not how the file is encrypted. What is cut holds no object. */
function withoutTail(bytes: Buffer): Buffer | undefined {
  const end = bytes.lastIndexOf('endobj') + 'endobj'.length
  return end < 'endobj'.length || end === bytes.length || bytes.includes('/Encrypt') ? undefined : bytes.subarray(0, end)
}

const EMPTY_ID = '\ntrailer<</ID[<><>]>>'

/** The library needs the /ID of an encrypted file, and viewers take an absent one as empty. */
function withId(bytes: Buffer): Buffer | undefined {
  return bytes.includes('/Encrypt') && !bytes.includes(EMPTY_ID) ? Buffer.concat([bytes, Buffer.from(EMPTY_ID)]) : undefined
}
