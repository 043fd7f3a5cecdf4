/**
 * Loads what a player would: both manifests, every playlist, every init segment, and the first and last
 * segments.
 */

interface PlayableFile {
  readonly Playouts: readonly { readonly HLS: string | null; readonly DASH: string | null }[]
}

export const playThrough = async (file: PlayableFile): Promise<string[]> => {
  const faults: string[] = []
  const load = async (url: string): Promise<string> => {
    const response = await fetch(url)
    const text = await response.text()
    if (response.status !== 200) faults.push(`${url} answered ${response.status}: ${text.slice(0, 200)}`)
    return response.status === 200 ? text : ''
  }
  const [playout] = file.Playouts
  if (playout?.HLS == null || playout.DASH == null) return ['it is playable without a playout']
  await load(playout.DASH)
  const multivariant = await load(playout.HLS)
  for (const uri of [...uriLines(multivariant), ...uriAttributes(multivariant)]) {
    const playlistUrl = new URL(uri, playout.HLS).href
    const playlist = await load(playlistUrl)
    const segments = uriLines(playlist)
    const wanted = new Set([...uriAttributes(playlist), ...segments.slice(0, 1), ...segments.slice(-1)])
    for (const segment of wanted) await load(new URL(segment, playlistUrl).href)
  }
  return faults
}

const uriLines = (playlist: string): string[] =>
  playlist.split('\n').filter((line) => line !== '' && !line.startsWith('#'))

const uriAttributes = (playlist: string): string[] =>
  [...playlist.matchAll(/URI="([^"]+)"/g)].map(([, uri = '']) => uri)
