// Case folding by JavaScript's tables, independent of the database's, to check the title search.

/** The text by full case folding (Unicode, CaseFolding.txt C and F), in NFC. Unicode folds small Cherokee letters to capitals. */
export function foldText(text: string): string {
  return Array.from(text.normalize('NFD'), foldLetter).join('').normalize('NFC')
}

/** Letter by letter, because a sigma's case depends on its neighbours; through upper case, so that letters with equal capitals fold alike. */
function foldLetter(letter: string): string {
  // The only letter that folds to itself although its capital, I, folds to another: only Turkish pairs them.
  return letter === 'ı' ? letter : letter.toLowerCase().toUpperCase().toLowerCase()
}
