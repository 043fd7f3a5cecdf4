import './row-menu.css'
import type { ReactNode } from 'react'
import { LazyMenu } from './lazy-menu.tsx'

/** The menu of a row. A list has one for each row, so its button is no component of Mantine. */
export const RowMenu = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <LazyMenu render={(props) => <button type="button" className="row-menu" aria-label={label} {...props} />}>
    {children}
  </LazyMenu>
)
