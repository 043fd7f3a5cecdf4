import type { Session } from '../shell/session.ts'
import { defineWords } from '../shell/words.ts'

export type Role = Session['User']['Role']

export const roles = ['Reader', 'Uploader', 'JuniorEditor', 'SeniorEditor', 'Administrator'] as const

export const isRole = (text: string | null): text is Role => roles.some((role) => role === text)

export const useRoleWords = defineWords('roles', {
  en: {
    Reader: 'Reader',
    Uploader: 'Uploader',
    JuniorEditor: 'Junior editor',
    SeniorEditor: 'Senior editor',
    Administrator: 'Administrator',
    may_Reader: 'Sees everything, changes nothing.',
    may_Uploader: 'Also uploads, and edits own files.',
    may_JuniorEditor: 'Also edits metadata, pictures and playlists.',
    may_SeniorEditor: 'Also publishes, deletes and runs live streams.',
    may_Administrator: 'Also manages projects, users, keys and webhooks.',
    role: 'Role',
    inProjects: 'Another role in single projects',
    inProjectsExplained: 'Higher or lower than the role in the account.',
    project: 'Project',
    roleThere: 'Role there',
    add: 'Add a project',
    remove: 'Remove {{name}}',
  },
  de: {
    Reader: 'Leser',
    Uploader: 'Uploader',
    JuniorEditor: 'Junior-Redakteur',
    SeniorEditor: 'Senior-Redakteur',
    Administrator: 'Administrator',
    may_Reader: 'Sieht alles, ändert nichts.',
    may_Uploader: 'Lädt auch hoch und bearbeitet eigene Dateien.',
    may_JuniorEditor: 'Bearbeitet auch Metadaten, Bilder und Playlists.',
    may_SeniorEditor: 'Veröffentlicht und löscht auch und steuert Livestreams.',
    may_Administrator: 'Verwaltet auch Projekte, Benutzer, Schlüssel und Webhooks.',
    role: 'Rolle',
    inProjects: 'Andere Rolle in einzelnen Projekten',
    inProjectsExplained: 'Höher oder niedriger als die Rolle im Konto.',
    project: 'Projekt',
    roleThere: 'Rolle dort',
    add: 'Projekt hinzufügen',
    remove: '{{name}} entfernen',
  },
})
