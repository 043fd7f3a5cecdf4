/** `$1` is the first captured group. */
const sentences: readonly (readonly [english: RegExp, german: string])[] = [
  [/^The file is not a video or audio file\.$/, 'Die Datei ist weder Video noch Audio.'],
  [
    /^The file is not of an accepted .*$/,
    'Die Datei hat kein Video- oder Audioformat, das hier angenommen wird, wie MP4, MOV, MKV, WebM oder MP3.',
  ],
  [/^The file contains neither audio nor video\.$/, 'Die Datei enthält weder Ton noch Bild.'],
  [
    /^The file is encrypted \(DRM\).*$/,
    'Die Datei ist verschlüsselt (DRM) und lässt sich nicht verarbeiten.',
  ],
  [
    /^The file uses a codec that is not supported\.$/,
    'Der Codec der Datei wird nicht unterstützt. Exportieren Sie sie zum Beispiel als H.264 mit AAC.',
  ],
  [
    /^The file is incomplete: its index is missing.*$/,
    'Die Datei ist unvollständig: Ihr Index fehlt. Was sie schrieb, kam nicht bis zum Ende.',
  ],
  [
    /^The file is incomplete: it contains no .*$/,
    'Die Datei ist unvollständig: Sie enthält keine Audio- oder Videodaten.',
  ],
  [
    /^The file is incomplete: it says that it lasts (.+), but only the first (.+) could be played\.$/,
    'Die Datei ist unvollständig: Sie soll $1 dauern, aber nur die ersten $2 ließen sich abspielen.',
  ],
  [
    /^The file is damaged: its video could not be decoded\.$/,
    'Die Datei ist beschädigt: Ihr Bild ist nicht lesbar.',
  ],
  [
    /^The file is damaged: its audio could not be decoded\.$/,
    'Die Datei ist beschädigt: Ihr Ton ist nicht lesbar.',
  ],
  [/^The file is damaged.*$/, 'Die Datei ist beschädigt: Ihr Inhalt ist nicht lesbar.'],
  [
    /^The file could not be read to its end by .*$/,
    'Die Datei ließ sich nicht bis zum Ende lesen. Vielleicht ist sie beschädigt.',
  ],
  [
    /^The file describes more tracks than can be read\.$/,
    'Die Datei nennt mehr Spuren, als sich lesen lassen.',
  ],
  [
    /^The file is longer than the (.+) hours that .*$/,
    'Die Datei ist länger als die $1 Stunden, die erlaubt sind.',
  ],
  [
    /^The file is longer than the (.+) seconds that .*$/,
    'Die Datei ist länger als die $1 s, die erlaubt sind.',
  ],
  [
    /^The file has more than 10,000 entries in its edit lists\.$/,
    'Die Datei hat mehr als 10.000 Einträge in ihren Schnittlisten.',
  ],
  [/^The picture is larger than 50 megapixels\.$/, 'Das Bild hat mehr als 50 Megapixel.'],
  [/^The result is larger than allowed\.$/, 'Das Ergebnis ist größer, als erlaubt ist.'],
  [
    /^Processing the file (?:took longer|used more) than the (\d+) seconds .*$/,
    'Die Verarbeitung hat länger gedauert als die $1 s, die erlaubt sind.',
  ],
  [
    /^Processing the file made no progress for (\d+) seconds\.$/,
    'Die Verarbeitung kam $1 s lang nicht voran.',
  ],
  [
    /^The file needs more memory than the machine has free\.$/,
    'Für die Datei hat der Server zu wenig Arbeitsspeicher frei.',
  ],
  [/^The disk is full\.$/, 'Auf dem Server ist kein Platz mehr.'],
  [
    /^The file could not be packaged: .*$/,
    'Die Datei ließ sich nicht aufbereiten: Ihr Inhalt ist leer, zu kurz oder beschädigt. Exportieren Sie sie neu und laden Sie die neue Fassung hoch.',
  ],
  [
    /^The file could not be processed because of a fault on our side.*$/,
    'Die Datei ließ sich wegen eines Fehlers des Servers nicht verarbeiten. Versuchen Sie es noch einmal.',
  ],
  [/^The source is empty\.$/, 'Unter der URL liegt nichts: Die Quelle ist leer.'],
  [/^(\S+) answered (\d+): the URL may not .*$/, '$1 verlangt eine Anmeldung für diese URL (Antwort $2).'],
  [/^(\S+) answered (\d+): there is nothing .*$/, 'Unter dieser URL liegt bei $1 nichts (Antwort $2).'],
  [/^(\S+) answered (\d+) instead of the file\.$/, '$1 gab statt der Datei die Antwort $2.'],
  [
    /^The source could not be fetched, though .*$/,
    'Die Quelle ließ sich auch nach vielen Versuchen nicht holen.',
  ],
]

const fronts: readonly (readonly [english: string, german: string])[] = [
  [
    'The new source could not be used and the file plays as before: ',
    'Die neue Quelle ist nicht brauchbar, und die Datei spielt wie zuvor: ',
  ],
  [
    'The new source could not be fetched and the file plays as before: ',
    'Die neue Quelle ließ sich nicht holen, und die Datei spielt wie zuvor: ',
  ],
  [
    'It could not be encoded again and plays as before: ',
    'Die Datei ließ sich nicht neu encodieren und spielt wie zuvor: ',
  ],
]

/** Translates known messages of the server and returns others unchanged. */
export const germanFault = (message: string): string => {
  const [english = '', german = ''] = fronts.find(([front]) => message.startsWith(front)) ?? []
  const reason = message.slice(english.length)
  const known = sentences.find(([pattern]) => pattern.test(reason))
  return `${german}${known === undefined ? reason : reason.replace(...known)}`
}
