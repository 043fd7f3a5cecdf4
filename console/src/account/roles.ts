import type { Session } from '../shell/session-record.ts'

export type Role = Session['User']['Role']

export const roles = ['Reader', 'Uploader', 'JuniorEditor', 'SeniorEditor', 'Administrator'] as const

export const isRole = (text: string | null): text is Role => roles.some((role) => role === text)
