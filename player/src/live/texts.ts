const english = {
  notBegun: 'The stream has not begun yet.',
  beginsByItself: 'It will start here by itself.',
  ended: 'The stream has ended.',
  unavailable: 'This stream is not available.',
  unsupported: 'This browser cannot play the stream. Please use a current one.',
  starting: 'The stream is starting …',
  interrupted: 'The broadcast is interrupted. It will go on by itself.',
  connectionLost: 'No connection. Trying again …',
  soundOnly: 'Sound only',
  player: 'Live player',
  play: 'Play',
  pause: 'Pause',
  mute: 'Mute',
  unmute: 'Sound on',
  volume: 'Volume',
  position: 'Position in the stream',
  live: 'Live',
  backToLive: 'Back to live',
  behind: (time: string) => `${time} behind live`,
  pictureInPicture: 'Picture in picture',
  fullScreen: 'Full screen',
  leaveFullScreen: 'Leave full screen',
}

export type Texts = Readonly<typeof english>

const german: Texts = {
  notBegun: 'Der Stream hat noch nicht begonnen.',
  beginsByItself: 'Er startet hier von selbst.',
  ended: 'Der Stream ist zu Ende.',
  unavailable: 'Dieser Stream ist nicht verfügbar.',
  unsupported: 'Dieser Browser kann den Stream nicht abspielen. Bitte einen aktuellen verwenden.',
  starting: 'Der Stream beginnt …',
  interrupted: 'Die Übertragung ist unterbrochen. Sie geht von selbst weiter.',
  connectionLost: 'Keine Verbindung. Neuer Versuch …',
  soundOnly: 'Nur Ton',
  player: 'Live-Player',
  play: 'Wiedergabe',
  pause: 'Pause',
  mute: 'Ton aus',
  unmute: 'Ton an',
  volume: 'Lautstärke',
  position: 'Stelle im Stream',
  live: 'Live',
  backToLive: 'Zurück zu Live',
  behind: (time) => `${time} hinter Live`,
  pictureInPicture: 'Bild im Bild',
  fullScreen: 'Vollbild',
  leaveFullScreen: 'Vollbild verlassen',
}

const languages = { en: english, de: german }

/** Of the viewer's languages the first that there is; the page then says so, too. */
export const chooseTexts = (page: HTMLElement, wanted: readonly string[]): Texts => {
  const known = wanted
    .map((tag) => tag.toLowerCase().split('-')[0])
    .find((tag): tag is keyof typeof languages => tag !== undefined && tag in languages)
  page.lang = known ?? 'en'
  return languages[known ?? 'en']
}
