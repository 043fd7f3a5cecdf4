import type { Session } from './session-record.ts'

type Role = Session['User']['Role']

const roles: readonly Role[] = ['Reader', 'Uploader', 'JuniorEditor', 'SeniorEditor', 'Administrator']

/**
 * The server decides, and a test compares this table with its own. The console only uses it to hide actions.
 */
export const leastRole = {
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
} as const satisfies Record<string, Role>

export type Permission = keyof typeof leastRole

export const roleMay = (role: Role, permission: Permission): boolean =>
  roles.indexOf(role) >= roles.indexOf(leastRole[permission])
