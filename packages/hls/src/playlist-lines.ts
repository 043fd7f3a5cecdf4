import { PlaylistError } from './playlist-error.ts'

/** A significant line: a tag with its value ('' when it has none), or a URI. */
export type PlaylistLine =
  | { kind: 'tag'; lineNumber: number; name: string; value: string }
  | { kind: 'uri'; lineNumber: number; uri: string }

/** Splits a playlist into tags and URIs and drops blank lines and comments (RFC 8216bis 4.1). */
export function readPlaylistLines(text: string): PlaylistLine[] {
  const lines = text.split(/\r?\n/)
  // RFC 8216bis 4.4.1.1: #EXTM3U is the first line. A byte order mark fails this check, as RFC 8216bis 4.1
  // requires.
  if (lines[0] !== '#EXTM3U') throw new PlaylistError('A playlist must start with #EXTM3U.', 1)
  return lines.flatMap((line, index): PlaylistLine[] => {
    const lineNumber = index + 1
    if (line.startsWith('#EXT')) {
      const colon = line.indexOf(':')
      const end = colon === -1 ? line.length : colon
      return [{ kind: 'tag', lineNumber, name: line.slice(1, end), value: line.slice(end + 1) }]
    }
    if (line === '' || line.startsWith('#')) return []
    if (/[\s\p{Cc}]/u.test(line))
      throw new PlaylistError('A URI must not contain spaces or control characters.', lineNumber)
    return [{ kind: 'uri', lineNumber, uri: line }]
  })
}

export function integerValue(line: { lineNumber: number; name: string; value: string }): number {
  if (!/^[0-9]{1,15}$/.test(line.value))
    throw new PlaylistError(
      `${line.name} must be a whole number, not ${JSON.stringify(line.value)}.`,
      line.lineNumber,
    )
  return Number(line.value)
}
