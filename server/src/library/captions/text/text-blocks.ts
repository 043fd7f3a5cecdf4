/** Consecutive lines without a blank line between them. */
export interface Block {
  readonly lines: readonly string[]
  /** Number of the first line, counted from 1. */
  readonly lineNumber: number
}

/** Splits a text at blank lines. Lines must end with `\n` alone. */
export const readBlocks = (text: string): Block[] => {
  const blocks: { lines: string[]; lineNumber: number }[] = []
  let isInside = false
  for (const [index, line] of text.split('\n').entries()) {
    const isBlank = line.trim() === ''
    if (!isBlank && isInside) blocks.at(-1)?.lines.push(line)
    else if (!isBlank) blocks.push({ lines: [line], lineNumber: index + 1 })
    isInside = !isBlank
  }
  return blocks
}
