/** Frames of 640 × 360 with this strip on top: white, black, the bits of the clock, white, black. */
export const clockPicture = { width: 640, height: 360, cellPixels: 32 }
const bits = 16
export const clockCells = bits + 4
/** The clock wraps around after about a minute. */
const rangeMs = 2 ** bits

/**
 * Returns an ffmpeg filter that draws the milliseconds of the wall clock into each frame. The clock uses Gray
 * code: when it advances between two cells, only one of them changes.
 */
export const burnInClock = (): string => {
  const { width, cellPixels } = clockPicture
  const box = (x: number, size: number, color: string, enable = '1') =>
    `drawbox=x=${x}:y=0:w=${size}:h=${cellPixels}:color=${color}:t=fill:enable='${enable}'`
  const ms = 'floor(time(0)*1000)'
  const bitOf = (bit: number): string =>
    bit === bits - 1
      ? `mod(floor(${ms}/${2 ** bit}),2)`
      : `mod(floor((${ms}+${2 ** bit})/${2 ** (bit + 1)}),2)`
  return [
    box(0, width, 'black'),
    box(0, cellPixels, 'white'),
    ...Array.from({ length: bits }, (_, bit) => box((bit + 2) * cellPixels, cellPixels, 'white', bitOf(bit))),
    box((bits + 2) * cellPixels, cellPixels, 'white'),
  ].join(',')
}

/**
 * Returns the age of a frame, in milliseconds, from its cells (0 to 255). Null for a frame without the clock.
 */
export const ageOfPicture = (cells: readonly number[], readAtMs: number): number | null => {
  const isWhite = cells.map((level) => level > 127)
  const [first, second, ...rest] = isWhite
  if (cells.length !== clockCells || !first || second || !rest.at(-2) || rest.at(-1)) return null
  let clockMs = 0
  let isSet = false
  for (let bit = bits - 1; bit >= 0; bit -= 1) {
    isSet = isSet !== rest[bit]
    if (isSet) clockMs += 2 ** bit
  }
  return (((readAtMs - clockMs) % rangeMs) + rangeMs) % rangeMs
}
