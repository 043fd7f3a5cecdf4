/** Characters that terminals draw two columns wide: East Asian scripts and emoji. */
const wide =
  /\p{Emoji_Presentation}|\p{RGI_Emoji}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/v

const segmenter = new Intl.Segmenter()

const plain = /^[\x20-\x7e]*$/

export const textWidth = (text: string): number => {
  if (plain.test(text)) return text.length
  let width = 0
  for (const { segment } of segmenter.segment(text)) width += wide.test(segment) ? 2 : 1
  return width
}

/** Cuts the text to this width and marks the cut with an ellipsis. */
export const cutText = (text: string, width: number): string => {
  if (textWidth(text) <= width) return text
  let cut = ''
  let used = 0
  for (const { segment } of segmenter.segment(text)) {
    used += wide.test(segment) ? 2 : 1
    if (used > width - 1) break
    cut += segment
  }
  return width < 1 ? '' : `${cut}…`
}

export const padText = (text: string, width: number): string =>
  `${text}${' '.repeat(Math.max(0, width - textWidth(text)))}`
