import { useNavigate, useSearch } from '@tanstack/react-router'
import { firstPage } from './pager.tsx'

export type Address = Readonly<Record<string, string>>

/**
 * Returns the query of this screen and a function to change it. A changed filter returns to the first page
 * and replaces the history entry; another page adds one.
 */
export const useAddress = (): readonly [Address, (changed: Record<string, string | undefined>) => void] => {
  // Works on every screen, because all of them accept text values (`validateSearch`).
  const search: Address = useSearch({ strict: false })
  const navigate = useNavigate()
  const go = (changed: Record<string, string | undefined>): void => {
    const next: Record<string, string> = {}
    for (const [name, value] of Object.entries({ ...search, ...firstPage, ...changed }))
      if (value) next[name] = value
    void navigate({ to: '.', search: () => next, replace: !('cursor' in changed) })
  }
  return [search, go]
}

/** Picks the names that have a value, for the query of a list. */
export const queryOf = (address: Address, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = address[name]
      return value === undefined ? [] : [[name, value] as const]
    }),
  )
