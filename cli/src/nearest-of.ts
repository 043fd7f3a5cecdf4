/** Number of letters to insert, delete, replace or swap to turn one word into the other. */
const distance = (from: string, to: string): number => {
  const rows = [Array.from({ length: to.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number): number => rows[row]?.[column] ?? 0
  for (let row = 1; row <= from.length; row++) {
    rows[row] = [row]
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      const ways = [
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (isSame ? 0 : 1),
      ]
      if (isSwapped && row > 1 && column > 1) ways.push(at(row - 2, column - 2) + 1)
      rows[row]?.push(Math.min(...ways))
    }
  }
  return at(from.length, to.length)
}

/** Words are short: with more typing errors, the user means something else. */
const mostLetters = 2
/** Longer words cannot match any of ours. */
const longestWord = 40

/** Returns the most likely intended word, or null when none is close. */
export const nearestOf = (typed: string, words: readonly string[]): string | null => {
  if (typed.length > longestWord) return null
  const allowed = Math.min(mostLetters, Math.floor(typed.length / 2))
  const near = words
    .map((word) => ({ word, letters: distance(typed.toLowerCase(), word) }))
    .filter(({ letters }) => letters <= allowed)
    .sort((one, other) => one.letters - other.letters)
  return near[0]?.word ?? null
}
