/** German translations of API messages. `$1` is the first captured group. */
type Translation = readonly [english: RegExp, german: string]

const translate = (table: readonly Translation[], text: string): string | null => {
  const found = table.find(([english]) => english.test(text))
  return found === undefined ? null : text.replace(...found)
}

/** Text after the name of a field. */
const issues: readonly Translation[] = [
  [/^is (?:required|missing)$/, 'muss angegeben werden'],
  [/^must not be empty$/, 'darf nicht leer sein'],
  [/^must be a text that is not blank.*$/, 'darf nicht leer sein'],
  [/^is already in use$/, 'wird schon verwendet'],
  [/^is given twice$/, 'steht zweimal da'],
  [/^must have at least (\d+) characters?$/, 'muss mindestens $1 Zeichen haben'],
  [/^(?:may|must) have (\d+) characters? at most$/, 'darf höchstens $1 Zeichen haben'],
  [/^is longer than (\d+) characters$/, 'darf höchstens $1 Zeichen haben'],
  [/^may have (\d+) items at most$/, 'darf höchstens $1 Einträge haben'],
  [/^must be an e-mail address.*$/, 'muss eine E-Mail-Adresse sein wie kim.lee@example.com'],
  [/^must be a whole number from (-?\d+) to (-?\d+).*$/, 'muss eine ganze Zahl von $1 bis $2 sein'],
  [/^must be a whole number of at least (-?\d+).*$/, 'muss eine ganze Zahl ab $1 sein'],
  [/^must be a number from (-?[\d.]+) to (-?[\d.]+).*$/, 'muss eine Zahl von $1 bis $2 sein'],
  [/^must be a point in time.*$/, 'muss ein Zeitpunkt sein wie 2026-03-01T12:00:00+00:00'],
  [/^must be one of (.+)$/, 'muss eines von diesen sein: $1'],
  [/^must be in the future$/, 'muss in der Zukunft liegen'],
  [/^must be in the future, within seven days$/, 'muss in den nächsten sieben Tagen liegen'],
  [/^must be later than StartTime$/, 'muss nach dem Beginn liegen'],
  [/^must not lie before From$/, 'darf nicht vor dem Beginn liegen'],
  [/^must be a URL.*$/, 'muss eine Adresse sein wie https://www.example.com/'],
  [/^must be an absolute address that begins with (.+)$/, 'muss eine ganze Adresse sein, die mit $1 beginnt'],
  [/^must not hold a user name or a password$/, 'darf weder Benutzernamen noch Passwort enthalten'],
  [/^must name a port, as in (\S+)$/, 'muss einen Port nennen, wie $1'],
  [/^must have a path, as in (\S+)$/, 'muss einen Pfad haben, wie $1'],
  [/^is required where StreamInType is (\S+)$/, 'muss bei $1 angegeben werden'],
  [/^may hold visible ASCII characters only$/, 'darf nur sichtbare ASCII-Zeichen enthalten'],
  [/^is not a valid header name$/, 'ist kein gültiger Name eines Headers'],
  [/^is a header that Zoetrope sets itself.*$/, 'ist ein Header, den Zoetrope selbst setzt'],
  [/^is not the password of this user$/, 'ist nicht Ihr Passwort'],
  [/^must have at least five different characters$/, 'muss mindestens fünf verschiedene Zeichen haben'],
  [/^must not be the same few characters.*$/, 'darf nicht immer dieselben paar Zeichen wiederholen'],
  [/^must not be one of those that are tried.*$/, 'gehört zu denen, die als Erstes probiert werden'],
  [
    /^must hold neither your name, nor your e-mail address.*$/,
    'darf weder Ihren Namen noch Ihre E-Mail-Adresse noch „Zoetrope“ enthalten',
  ],
]

export const germanIssue = (issue: string): string => translate(issues, issue) ?? issue

const sentences: readonly Translation[] = [
  [
    /^E-mail address or password is wrong.*$/,
    'E-Mail-Adresse oder Passwort ist falsch, oder Sie dürfen sich nicht anmelden. Achten Sie bei Passwörtern auf Groß- und Kleinschreibung.',
  ],
  [/^This link does not work: .*$/, 'Dieser Link gilt nicht mehr. Lassen Sie sich einen neuen geben.'],
  [
    /^Too many attempts; try again in (\d+) s\.$/,
    'Das waren zu viele Versuche. Versuchen Sie es in $1 s noch einmal.',
  ],
  [
    /^This is the last enabled Administrator.*$/,
    'Das ist der letzte aktive Administrator des Kontos. Machen Sie zuerst jemand anderen dazu.',
  ],
  [/^You cannot (?:delete|disable) yourself.*$/, 'Sich selbst können Sie weder löschen noch deaktivieren.'],
  [/^User \d+ is disabled; enable.*$/, 'Der Benutzer ist deaktiviert. Aktivieren Sie ihn zuerst wieder.'],
  [/^The password has been changed meanwhile.*$/, 'Das Passwort wurde inzwischen geändert.'],
  [
    /^Project \d+ is live; stop the stream first\.$/,
    'Das Projekt ist auf Sendung. Beenden Sie zuerst die Übertragung.',
  ],
  [/^Nothing is live in project.*$/, 'Das Projekt ist nicht auf Sendung.'],
  [/^Webhook \d+ is disabled; enable.*$/, 'Der Webhook ist abgeschaltet. Schalten Sie ihn zuerst ein.'],
  [
    /^File \d+ has (?:\w+) in (\S+) already.*$/,
    'Die Datei hat in der Sprache $1 schon welche. Ändern oder löschen Sie diese.',
  ],
  [
    /^File \d+ is being processed.*$/,
    'Die Datei wird noch verarbeitet. Versuchen Sie es danach noch einmal.',
  ],
  [
    /^The upload would exceed the storage quota.*$/,
    'Für diesen Upload reicht der Speicherplatz des Projekts nicht.',
  ],
  [
    /^Line (\d+) of the captions: (.+)$/,
    'Zeile $1 der Untertitel ist nicht zu lesen. Der Server sagt dazu: „$2“',
  ],
]

/** Error types whose German sentence is sufficient for users. */
const kinds = new Map(
  Object.entries({
    unauthorized: 'Sie sind nicht mehr angemeldet. Melden Sie sich neu an.',
    forbidden: 'Das erlaubt Ihre Rolle nicht. Fragen Sie jemanden aus der Administration.',
    not_found: 'Das gibt es nicht mehr, oder Sie dürfen es nicht sehen.',
    too_large: 'Das ist größer, als der Server annimmt.',
    quota_exceeded: 'Dafür reicht der Speicherplatz des Projekts nicht.',
    timeout: 'Das hat zu lange gedauert. Versuchen Sie es noch einmal.',
    rate_limited: 'Das waren zu viele Versuche. Warten Sie einen Moment.',
    internal: 'Der Server hat einen Fehler gemacht. Er steht in seinem Log.',
    unavailable: 'Der Server ist gerade überlastet oder startet neu. Versuchen Sie es gleich noch einmal.',
    storage_full: 'Auf dem Server ist kein Platz mehr.',
  }),
)

interface Refusal {
  readonly type: string
  readonly message: string
  readonly details: readonly { readonly field: string; readonly issue: string }[]
}

/**
 * Returns a German sentence for an API error. Quotes messages without a translation, because they state the
 * remedy.
 */
export const germanProblem = ({ type, message, details }: Refusal): string => {
  const known = translate(sentences, message) ?? kinds.get(type)
  if (known !== undefined) return known
  const named = details.map(({ field, issue }) => [field, translate(issues, issue)] as const)
  return named.length > 0 && named.every(([, issue]) => issue !== null)
    ? `${named.map(([field, issue]) => `${field} ${issue}`).join('; ')}.`
    : `Das nimmt der Server nicht an: „${message}“`
}
