import { defineWords } from '../shell/words.ts'
import type { EventFamily } from './event-names.ts'

const useWords = defineWords('event-types', {
  en: {
    file: 'Files',
    live: 'Live',
    recording: 'Recordings',
    playlist: 'Playlists',
    project: 'Projects',
    file_new: 'A new file is there: uploaded and encoded. Once in the life of a file.',
    file_created: 'The record of a file was made; its bytes are still missing.',
    file_uploaded: 'All bytes have arrived and are video or audio.',
    file_encoding: 'Encoding has begun.',
    file_playable: 'Something of the file plays; better renditions follow.',
    file_encoded: 'All renditions are done.',
    file_failed: 'Processing has ended with an error.',
    file_updated: 'Metadata, pictures, captions or settings were changed.',
    file_released: 'Viewers can load a file from now on.',
    file_unreleased: 'Viewers can no longer load a file.',
    file_replaced: 'New media took the place of the old.',
    file_deleted: 'A file was deleted; it can be restored for a while.',
    file_restored: 'A deleted file is back.',
    live_connected: 'A publisher was accepted; there is nothing to see yet.',
    live_started: 'A broadcast is on the air.',
    live_warning: 'Something is wrong with what the publisher sends.',
    live_disconnected: 'The publisher was lost; the broadcast waits for it.',
    live_reconnected: 'The publisher is back.',
    live_ended: 'A broadcast is over.',
    live_failed: 'A publisher came and nothing could be shown.',
    live_publisher_refused: 'A second publisher was refused; the broadcast continues.',
    recording_started: 'A recording was begun.',
    recording_finished: 'A recording or a clip is a file now, or has failed.',
    playlist_new: 'A playlist was created.',
    playlist_updated: 'A playlist was changed.',
    playlist_deleted: 'A playlist was deleted.',
    playlist_restored: 'A deleted playlist is back.',
    project_new: 'A project was created.',
    project_updated: 'A project was changed.',
    project_deleted: 'A project was deleted, with all that was in it.',
    project_restored: 'A deleted project is back, with all its files.',
  },
  de: {
    file: 'Dateien',
    live: 'Live',
    recording: 'Aufnahmen',
    playlist: 'Playlists',
    project: 'Projekte',
    file_new: 'Eine neue Datei ist da: hochgeladen und encodiert. Einmal im Leben einer Datei.',
    file_created: 'Der Eintrag einer Datei wurde angelegt; ihre Bytes fehlen noch.',
    file_uploaded: 'Alle Bytes sind da und sind Video oder Audio.',
    file_encoding: 'Das Encoding hat begonnen.',
    file_playable: 'Etwas von der Datei ist abspielbar; bessere Renditions folgen.',
    file_encoded: 'Alle Renditions sind fertig.',
    file_failed: 'Die Verarbeitung endete mit einem Fehler.',
    file_updated: 'Metadaten, Bilder, Untertitel oder Einstellungen wurden geändert.',
    file_released: 'Zuschauer können eine Datei ab jetzt abrufen.',
    file_unreleased: 'Zuschauer können eine Datei nicht mehr abrufen.',
    file_replaced: 'Neues Material ersetzt das alte.',
    file_deleted: 'Eine Datei wurde gelöscht; eine Weile lässt sie sich wiederherstellen.',
    file_restored: 'Eine gelöschte Datei ist wieder da.',
    live_connected: 'Ein Sender wurde angenommen; zu sehen ist noch nichts.',
    live_started: 'Eine Sendung ist auf Sendung.',
    live_warning: 'Mit dem, was der Sender schickt, stimmt etwas nicht.',
    live_disconnected: 'Der Sender ist weg; die Sendung wartet auf ihn.',
    live_reconnected: 'Der Sender ist wieder da.',
    live_ended: 'Eine Sendung ist zu Ende.',
    live_failed: 'Ein Sender kam, und nichts davon war zu zeigen.',
    live_publisher_refused: 'Ein zweiter Sender wurde abgewiesen. Die Sendung läuft weiter.',
    recording_started: 'Eine Aufnahme hat begonnen.',
    recording_finished: 'Eine Aufnahme oder ein Clip ist als Datei gespeichert oder fehlgeschlagen.',
    playlist_new: 'Eine Playlist wurde angelegt.',
    playlist_updated: 'Eine Playlist wurde geändert.',
    playlist_deleted: 'Eine Playlist wurde gelöscht.',
    playlist_restored: 'Eine gelöschte Playlist ist wieder da.',
    project_new: 'Ein Projekt wurde angelegt.',
    project_updated: 'Ein Projekt wurde geändert.',
    project_deleted: 'Ein Projekt wurde gelöscht, mit allem darin.',
    project_restored: 'Ein gelöschtes Projekt ist mit allen Dateien wieder da.',
  },
})

type Name = EventFamily['names'][number]
/** i18next treats a dot as nesting, so keys use an underscore. */
type Key<N extends string> = N extends `${infer Family}.${infer Rest}` ? `${Family}_${Rest}` : never

export const useEventWords = (): {
  readonly family: (family: EventFamily['family']) => string
  readonly describe: (name: Name) => string
} => {
  const t = useWords()
  return { family: (family) => t(family), describe: (name) => t(name.replace('.', '_') as Key<Name>) }
}
