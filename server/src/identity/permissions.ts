import type { Permission } from '../http/authenticate.ts'
import type { Role } from '../kernel/db/tables.ts'

/** Each role may do what the roles before it may. */
const rolesAscending = [
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
  'playlists:read': 'Reader',
  'playlists:write': 'JuniorEditor',
  'catalog:read': 'Reader',
  'catalog:write': 'Administrator',
  'events:read': 'Reader',
  'users:read': 'Administrator',
  'users:write': 'Administrator',
  'webhooks:read': 'Administrator',
  'webhooks:write': 'Administrator',
  'keys:read': 'Administrator',
  'keys:write': 'Administrator',
}

export const permissions = Object.keys(leastRole) as Permission[]

/** A scope is a permission, a family of them (`files:*`) or everything (`*`). */
export const isScope = (value: string): boolean =>
  value === '*' || permissions.some((one) => one === value || `${one.split(':')[0]}:*` === value)

const scopeAllows = (scopes: ReadonlySet<string>, permission: Permission): boolean =>
  scopes.has('*') ||
  scopes.has(permission) ||
  scopes.has(`${permission.split(':')[0]}:*`) ||
  (permission === 'files:write-own' && scopes.has('files:write'))

/** Effective rights = role of the user ∩ scopes of the key (spec.md section 2). */
export const allows = (role: Role, scopes: ReadonlySet<string>, permission: Permission): boolean =>
  rolesAscending.indexOf(role) >= rolesAscending.indexOf(leastRole[permission]) &&
  scopeAllows(scopes, permission)

/** Whether `wanted` stays within `own`, so that a key cannot make a mightier one. */
export const covers = (own: ReadonlySet<string>, wanted: readonly string[]): boolean =>
  wanted.every((scope) => own.has('*') || own.has(scope) || own.has(`${scope.split(':')[0]}:*`))
