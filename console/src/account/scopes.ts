import { leastRole, type Permission } from '../shell/permissions.ts'

export const permissions = Object.keys(leastRole) as Permission[]

export const familyOf = (permission: Permission): string => permission.split(':', 1)[0] ?? permission

export const families = [...new Set(permissions.map(familyOf))]

export const inFamily = (family: string): Permission[] =>
  permissions.filter((permission) => familyOf(permission) === family)

/** What a key's scopes open, one by one. */
export const permissionsIn = (scopes: readonly string[]): Permission[] =>
  permissions.filter((one) => ['*', `${familyOf(one)}:*`, one].some((scope) => scopes.includes(scope)))

/**
 * The same as scopes, as short as may be. `*` and families also open what comes with later versions, so that a key that is narrowed gets only
 * those that it has.
 */
export const scopesFor = (chosen: readonly Permission[], held: readonly string[] = ['*']): string[] => {
  const isAll = (ones: readonly Permission[]): boolean => ones.every((one) => chosen.includes(one))
  if (held.includes('*') && isAll(permissions)) return ['*']
  return families.flatMap((family) => {
    const members = inFamily(family)
    const mayTakeFamily = held.includes('*') || held.includes(`${family}:*`)
    return mayTakeFamily && isAll(members) ? [`${family}:*`] : members.filter((one) => chosen.includes(one))
  })
}
