import { NavLink } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Destination } from './destinations.ts'

export const NavItem = ({
  destination: { to, icon: Picture, label, exact = false },
  mark,
}: {
  readonly destination: Destination
  readonly mark?: ReactNode
}) => (
  <NavLink
    className="nav-item"
    renderRoot={(props) => (
      <Link
        {...props}
        to={to}
        activeOptions={{ exact, includeSearch: false }}
        activeProps={{ 'data-active': true, 'aria-current': 'page' }}
      />
    )}
    label={label}
    leftSection={<Picture size={17} stroke={1.75} aria-hidden />}
    rightSection={mark}
  />
)
