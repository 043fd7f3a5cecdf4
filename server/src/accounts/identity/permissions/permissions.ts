import type { Permission } from '../../../platform/http/requests/authenticate.ts'
import type { Role } from '../../../platform/db/tables.ts'

/** Each role includes the rights of the roles before it. */
export const roles = [
  'Reader',
  'Uploader',
  'JuniorEditor',
  'SeniorEditor',
  'Administrator',
] as const satisfies readonly Role[]

const leastRole: Record<Permission, Role> = {
  'projects:read': 'Reader',
  'projects:write': 'Administrator',
  'files:read': 'Reader',
  'files:upload': 'Uploader',
  'files:write': 'JuniorEditor',
  'files:publish': 'SeniorEditor',
  'files:delete': 'SeniorEditor',
  'files:write-own': 'Uploader',
  'live:read': 'Reader',
  'live:control': 'SeniorEditor',
  'live:keys': 'SeniorEditor',
  'playlists:read': 'Reader',
  'playlists:write': 'JuniorEditor',
  'catalog:read': 'Reader',
  'catalog:write': 'Administrator',
  'events:read': 'Reader',
  'users:read': 'Administrator',
  'users:write': 'Administrator',
  'webhooks:read': 'Administrator',
  'webhooks:write': 'Administrator',
  'partners:read': 'Administrator',
  'partners:write': 'Administrator',
  'keys:read': 'Administrator',
  'keys:write': 'Administrator',
  'audit:read': 'Administrator',
}

export const permissions = Object.keys(leastRole) as Permission[]

const roleAllows = (role: Role, permission: Permission): boolean =>
  roles.indexOf(role) >= roles.indexOf(leastRole[permission])

export const permissionsOf = (role: Role): Permission[] =>
  permissions.filter((permission) => roleAllows(role, permission))

/** A scope is a permission, a family of them (`files:*`) or everything (`*`). */
export const isScope = (value: string): boolean =>
  value === '*' || permissions.some((one) => one === value || `${one.split(':')[0]}:*` === value)

/** Returns whether these scopes include the other one. */
const scopesHold = (scopes: ReadonlySet<string>, scope: string): boolean =>
  scopes.has('*') ||
  scopes.has(scope) ||
  scopes.has(`${scope.split(':')[0]}:*`) ||
  (scope === 'files:write-own' && scopes.has('files:write'))

/** Effective rights = role of the user ∩ scopes of the key. */
export const allows = (role: Role, scopes: ReadonlySet<string>, permission: Permission): boolean =>
  roleAllows(role, permission) && scopesHold(scopes, permission)

/** Returns whether `wanted` stays within `own`, so that a key cannot issue a more powerful one. */
export const covers = (own: ReadonlySet<string>, wanted: readonly string[]): boolean =>
  wanted.every((scope) => scopesHold(own, scope))
