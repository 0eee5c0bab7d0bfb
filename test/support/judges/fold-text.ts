// Whatever its case, by JavaScript's tables instead of the database's: what a search by title is held against.

/** The text by full case folding (Unicode, CaseFolding.txt C and F), in NFC. Small Cherokee letters stand for the capitals that Unicode folds them to. */
export function foldText(text: string): string {
  return Array.from(text.normalize('NFD'), foldLetter).join('').normalize('NFC')
}

/** By itself, or a sigma would go by what stands beside it; to capitals and back, so that what has the same capitals is the same. */
function foldLetter(letter: string): string {
  // The one letter that folds to itself although its capital, I, folds to another: only Turkish takes them for a pair.
  return letter === 'ı' ? letter : letter.toLowerCase().toUpperCase().toLowerCase()
}
