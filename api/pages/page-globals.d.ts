/** The folder of the files that pdf.js fetches by name, see pdfjs-files.ts. */
declare const PDFJS_FOLDER: string
