import { useNavigate, useSearch } from '@tanstack/react-router'
import { firstPage } from './pager.tsx'

export type Address = Readonly<Record<string, string>>

/**
 * What stands behind the ? of this screen, and how to change it. Filters lead back to the first page and take the place of those before them in
 * the history; another page is a step of its own.
 */
export const useAddress = (): readonly [Address, (changed: Record<string, string | undefined>) => void] => {
  // Of whichever screen this is: all of them take texts (`validateSearch`).
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

/** Those that have a value, as the query of a list. */
export const queryOf = (address: Address, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = address[name]
      return value === undefined ? [] : [[name, value] as const]
    }),
  )
