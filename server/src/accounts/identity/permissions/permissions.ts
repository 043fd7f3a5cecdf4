import { permissions, roleAllows, type Permission, type ProjectRole } from '@zoetrope/vocabulary'

export const permissionsOf = (role: ProjectRole): Permission[] =>
  permissions.filter((permission) => roleAllows(role, permission))

export const isScope = (value: string): boolean =>
  value === '*' || permissions.some((one) => one === value || `${one.split(':')[0]}:*` === value)

const scopesHold = (scopes: ReadonlySet<string>, scope: string): boolean =>
  scopes.has('*') ||
  scopes.has(scope) ||
  scopes.has(`${scope.split(':')[0]}:*`) ||
  (scope === 'files:write-own' && scopes.has('files:write'))

/** Effective rights = role of the user ∩ scopes of the key. */
export const allows = (role: ProjectRole, scopes: ReadonlySet<string>, permission: Permission): boolean =>
  roleAllows(role, permission) && scopesHold(scopes, permission)

/** Returns whether `wanted` stays within `own`, so that a key cannot issue a more powerful one. */
export const covers = (own: ReadonlySet<string>, wanted: readonly string[]): boolean =>
  wanted.every((scope) => scopesHold(own, scope))
