/** German lines of the live log by code. Unknown codes are shown in the words of the server. */
const lines = new Map(
  Object.entries({
    started: 'Der Stream ist live.',
    stop_wanted: 'Jemand hat den Stream beendet.',
    key_reset: 'Der Streamschlüssel wurde neu gemacht.',
    unpublished: 'Der Encoder hat den Stream beendet.',
    stopped: 'Der Stream wurde über die API beendet.',
    disabled: 'Der Livestream wurde deaktiviert.',
    deleted: 'Das Projekt wurde gelöscht.',
    not_back: 'Der Encoder kam nicht rechtzeitig zurück.',
    left: 'Der Encoder hat die Verbindung geschlossen.',
    lost: 'Die Verbindung zum Encoder ist abgerissen.',
    timed_out: 'Vom Encoder kam zu lange nichts mehr.',
    closed: 'Der Server hat die Verbindung des Encoders geschlossen.',
    shutdown: 'Der Server wird neu gestartet.',
    node_lost: 'Der Server, der den Stream annahm, ist ausgefallen.',
    server_failed: 'Der Server konnte den Stream nicht annehmen. Verbinden Sie den Encoder neu.',
    no_media: 'Was der Encoder sandte, lässt sich nicht zeigen.',
    unsupported: 'Was der Encoder sandte, wird hier nicht angenommen.',
    pull_failed: 'Der Stream konnte nicht geholt werden.',
    srt_failed: 'Was über SRT kam, konnte nicht gelesen werden.',
    track_ignored: 'Einige Spuren der Quelle werden nicht gezeigt.',
    recording_failed: 'Die Aufnahme oder der Clip ist fehlgeschlagen.',
  }),
)

/** Codes whose message names the cause, which the line does not. */
const vague = new Set([
  ...['timed_out', 'closed', 'no_media', 'unsupported', 'pull_failed', 'srt_failed', 'track_ignored'],
  'recording_failed',
])

const refusals = new Map(
  Object.entries({
    disabled: 'Der Livestream ist deaktiviert.',
    wrong_kind: 'Dieser Livestream kommt nicht über RTMP. Stellen Sie es in den Einstellungen um.',
    second_publisher: 'Es sendet schon jemand.',
    changed: 'Die Einstellungen wurden gerade geändert. Verbinden Sie den Encoder neu.',
    node_full: 'Dieser Server nimmt im Moment keine weiteren Livestreams an.',
  }),
)

/** Lines with a variable part, such as an address or a number. */
const filled: readonly (readonly [code: string, english: RegExp, german: string])[] = [
  ['connected', /^A publisher from (\S+) was accepted(.*)\.$/, 'Ein Encoder von $1 wurde angenommen$2.'],
  ['reconnected', /^The publisher is back, from (\S+)\.$/, 'Der Encoder ist zurück, von $1.'],
  ['recording_started', /^Recording (\d+) has begun\.$/, 'Aufnahme $1 hat begonnen.'],
  ['recording_finished', /^Recording (\d+) is the file (\d+)\.$/, 'Aufnahme $1 ist jetzt die Datei $2.'],
  ['recording_finished', /^Clip (\d+) is the file (\d+)\.$/, 'Clip $1 ist jetzt die Datei $2.'],
  [
    'wrong_passphrase',
    /^An SRT caller from (\S+) was refused: .*$/,
    'Eine SRT-Verbindung von $1 wurde abgewiesen: Ihre Passphrase ist falsch oder fehlt.',
  ],
]

const refused = /^A publisher from (\S+) was refused: /

interface Entry {
  readonly Code: string
  readonly Message: string
}

/** Returns the German line and whether the server message contains more. Null = unknown. */
export const germanLine = ({
  Code,
  Message,
}: Entry): { readonly text: string; readonly isVague: boolean } | null => {
  const [, address] = refused.exec(Message) ?? []
  const reason = refusals.get(Code)
  if (address !== undefined)
    return reason === undefined
      ? null
      : { text: `Ein Encoder von ${address} wurde abgewiesen: ${reason}`, isVague: false }
  const shape = filled.find(([code, english]) => code === Code && english.test(Message))
  if (shape !== undefined) return { text: Message.replace(shape[1], shape[2]), isVague: false }
  const text = lines.get(Code)
  return text === undefined ? null : { text, isVague: vague.has(Code) }
}
