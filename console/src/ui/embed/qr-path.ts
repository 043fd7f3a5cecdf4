import { encode } from 'uqr'

/** The dark squares of a QR code as the path of an SVG whose sides have `size` squares. */
export const qrPath = (text: string): { readonly path: string; readonly size: number } => {
  const { data, size } = encode(text, { border: 3 })
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return { path: squares.join(''), size }
}
