/** Each role includes the rights of the roles before it. */
export const roles = ['Reader', 'Uploader', 'JuniorEditor', 'SeniorEditor', 'Administrator'] as const

export type Role = (typeof roles)[number]

/** A role in one project. `None` hides the project. */
export const projectRoles = ['None', ...roles] as const

export type ProjectRole = (typeof projectRoles)[number]

export const isProjectRole = (text: string | null): text is ProjectRole =>
  projectRoles.some((role) => role === text)

export const isRole = (text: string | null): text is Role => roles.some((role) => role === text)

/** Every permission, `resource:action`, with the first role that has it. Scopes of API keys use these names. */
const leastRole = {
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
  'analytics:read': 'Reader',
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

export const permissions = Object.keys(leastRole) as Permission[]

export const roleAllows = (role: ProjectRole, permission: Permission): boolean =>
  projectRoles.indexOf(role) >= projectRoles.indexOf(leastRole[permission])
