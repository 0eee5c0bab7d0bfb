// A seal's drawing as it is stored: cut out of our one-page document when its signer signs, planted into the documents when all have signed.
// At seal time nothing is drawn, and no drawing library ever opens a user's document.
import { extractForm } from '#core/pdf/increment/form-bundle.ts'
import { encodeForm } from '#core/pdf/increment/form-codec.ts'
import { drawSealPage, type SealContents } from './draw-seal-page.ts'

/** The seal as an encoded FormBundle of SEAL_WIDTH x SEAL_HEIGHT points. */
export async function drawAppearance(contents: SealContents): Promise<Buffer> {
  return encodeForm(extractForm(await drawSealPage(contents)))
}
