/** A dialog that is reachable on every screen. */
export type CommandDialog = 'palette' | 'shortcuts' | 'project' | 'api'
