import type { zoetrope } from './api.ts'

export type Session = Awaited<ReturnType<typeof zoetrope.sessions.current>>
