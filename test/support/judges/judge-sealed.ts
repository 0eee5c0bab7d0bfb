// Runs every validator on sealed files: programs two at a time, pyHanko once for all files.
import { inParallel } from '../builders/in-parallel.ts'
import { type CmsVerdict, judgeWithOpenssl } from './openssl-cms.ts'
import { judgeWithPdfsig, type PdfsigSignature } from './pdfsig.ts'
import { judgeWithPyhanko, type PyhankoVerdict } from './pyhanko.ts'
import { checkWithQpdf, describeWithMutool, extractText, type StructureVerdict } from './structure.ts'
import type { PageArea } from './page-geometry.ts'
import { comparePages, type PixelVerdict } from './pixels.ts'

export interface SealedFiles {
  /** Paths: before sealing, sealed, and sealed with one signed byte changed. */
  original: string
  sealed: string
  flipped: string
  /** The areas of the seals; everything else must look unchanged. */
  areas: readonly PageArea[]
}

export interface Judgement {
  qpdf: StructureVerdict
  openssl: CmsVerdict
  pdfsig: PdfsigSignature[]
  pyhanko: PyhankoVerdict
  mutool: string[]
  text: string
  poppler: PixelVerdict
  mupdf: PixelVerdict
  flipped: { openssl: CmsVerdict; pdfsig: PdfsigSignature[]; pyhanko: PyhankoVerdict }
}

/** One result per entry, in order. `rootPem`: the path of the only trust anchor. */
export async function judgeSealed(files: readonly SealedFiles[], rootPem: string): Promise<Judgement[]> {
  const verdicts = await judgeWithPyhanko(
    files.flatMap(({ sealed, flipped }) => [sealed, flipped]),
    rootPem,
  )
  return inParallel([...files.entries()], 2, async ([index, { original, sealed, flipped, areas }]) => ({
    qpdf: await checkWithQpdf(sealed),
    openssl: await judgeWithOpenssl(sealed, rootPem),
    pdfsig: await judgeWithPdfsig(sealed),
    pyhanko: verdicts[index * 2]!,
    mutool: await describeWithMutool(sealed),
    text: await extractText(sealed),
    poppler: await comparePages(original, sealed, areas, 'poppler'),
    mupdf: await comparePages(original, sealed, areas, 'mupdf'),
    flipped: {
      openssl: await judgeWithOpenssl(flipped, rootPem),
      pdfsig: await judgeWithPdfsig(flipped),
      pyhanko: verdicts[index * 2 + 1]!,
    },
  }))
}
