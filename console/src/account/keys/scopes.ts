import { permissions, type Permission } from '@zoetrope/vocabulary'

type Family = Permission extends `${infer F}:${string}` ? F : never

export const familyOf = (permission: Permission): Family => permission.split(':', 1)[0] as Family

export const families = [...new Set(permissions.map(familyOf))]

export const inFamily = (family: Family): Permission[] =>
  permissions.filter((permission) => familyOf(permission) === family)

/** Expands the scopes of a key to single permissions. */
export const permissionsIn = (scopes: readonly string[]): Permission[] =>
  permissions.filter((one) => ['*', `${familyOf(one)}:*`, one].some((scope) => scopes.includes(scope)))

/**
 * Returns the shortest scopes for these permissions. `*` and families also include permissions of later
 * versions, so a restricted key may use only those that it already has.
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
