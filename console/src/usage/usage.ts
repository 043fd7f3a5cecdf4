import type { zoetrope } from '../shell/api.ts'

export type Usage = Awaited<ReturnType<typeof zoetrope.usage.get>>
