import './styles/copy-row.css'
import type { ReactNode } from 'react'

/** Labelled copy buttons: in a row, or on phones as equal tiles with the icon above the label. */
export const CopyRow = ({ children }: { readonly children: ReactNode }) => (
  <div className="copy-row">{children}</div>
)
