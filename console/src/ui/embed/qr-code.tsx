import { qrPath } from './qr-path.ts'

/** Black on white in both color schemes, because many scanners cannot read inverted codes. */
export const QrCode = ({ text, label }: { readonly text: string; readonly label: string }) => {
  const { path, size } = qrPath(text)
  return (
    <svg viewBox={`0 0 ${size} ${size}`} width={200} height={200} role="img" aria-label={label}>
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  )
}
