import './filter-row.css'
import type { ReactNode } from 'react'

/** Filters beside each other: two in a row on a phone, so that each is large enough for touch. */
export const FilterRow = ({ label, children }: { readonly label?: string; readonly children: ReactNode }) => (
  <div className="filter-row" {...(label !== undefined && { role: 'group', 'aria-label': label })}>
    {children}
  </div>
)
