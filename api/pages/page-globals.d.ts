/** Where the build put the files pdf.js fetches by name, see pdfjs-files.ts. */
declare const PDFJS_FOLDER: string
