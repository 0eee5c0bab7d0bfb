// Fixtures as an upload leaves them: irregular ones are normalised.
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { inspect } from '#core/pades/signatures/upload-thread.ts'
import { pdfFixture } from './pdf-fixtures.ts'

/**
 * The path of the document, a copy in this folder. Viewers draw the fields of a form with /NeedAppearances true by themselves, and the seal
 * ends that: here they draw them from the beginning as after the seal, so that both can be compared. Throws when the upload is refused.
 */
export async function uploadedFixture(name: string, folder: string): Promise<string> {
  const document = path.join(folder, `uploaded-${name}`)
  await copyFile(pdfFixture(name), document)
  const answer = await inspect({ path: document, refuseActiveContent: true, repairDocuments: true })
  if (!answer.ok) throw new Error(`${name} is refused: ${answer.message}`)
  const text = await readFile(document, 'latin1')
  await writeFile(document, text.replace('/NeedAppearances true', '/NeedAppearances null'), 'latin1')
  return document
}
