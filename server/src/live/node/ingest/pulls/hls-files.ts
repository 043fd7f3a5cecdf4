import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { newMessage } from '../../../../platform/base/message.ts'
import type { GuardedAgent, OutboundStream } from '../../../../platform/outbound/guarded-agent.ts'
import { SourceError } from '../sources/source-error.ts'
import { isPlaylist } from './rewrite-playlist.ts'
import type { Resource } from './read-media-playlist.ts'

const timeouts = { answerTimeoutMs: 10_000, stallTimeoutMs: 10_000 }
const maxRedirects = 5
const longestPlaylistBytes = 2 ** 20
const longestFileBytes = 256 * 2 ** 20
/** A minute at 100 Mbit/s has 750 MB. */
const mostBytes = 2 ** 30
const redirects = new Set([301, 302, 303, 307, 308])

interface Loaded {
  /** Address after all redirects. */
  readonly url: string
  readonly answer: OutboundStream
}

const failed = (detail: string): SourceError =>
  new SourceError('failed', newMessage('live_source_failed', { detail }))

/** Loads from the source through the guarded agent, which refuses private addresses. */
const load = async (agent: GuardedAgent, { url, range }: Resource, signal: AbortSignal): Promise<Loaded> => {
  let at = url
  const ranged = range !== null && { range: `bytes=${range.offset}-${range.offset + range.length - 1}` }
  for (let hops = 0; hops <= maxRedirects; hops++) {
    const answer = await agent.download(at, { headers: { accept: '*/*', ...ranged }, ...timeouts, signal })
    const { location } = answer.headers
    if (answer.status === 200 || answer.status === 206) return { url: at, answer }
    answer.discard()
    if (!redirects.has(answer.status) || typeof location !== 'string')
      throw new SourceError('failed', newMessage('live_source_answered', { status: answer.status }))
    const next = URL.parse(location, at)
    if (next === null) break
    at = next.href
  }
  throw failed(`The source redirects more than ${maxRedirects} times.`)
}

/** Files of a source in a local folder, each loaded once. */
export class HlsFiles {
  readonly #agent: GuardedAgent
  readonly #folder: string
  readonly #signal: AbortSignal
  readonly #names = new Map<string, string>()
  #numbered = 0
  readonly #loads = new Map<string, Promise<void>>()
  readonly #sizes = new Map<string, number>()

  constructor(agent: GuardedAgent, options: { readonly folder: string; readonly signal: AbortSignal }) {
    this.#agent = agent
    this.#folder = options.folder
    this.#signal = options.signal
  }

  async loadPlaylist(url: string): Promise<{ readonly url: string; readonly text: string }> {
    const loaded = await load(this.#agent, { url, range: null }, this.#signal)
    const pieces: Buffer[] = []
    for await (const piece of limited(loaded.answer.body, longestPlaylistBytes)) pieces.push(piece)
    const text = Buffer.concat(pieces).toString()
    if (!isPlaylist(text)) throw new SourceError('failed', newMessage('live_source_format'))
    return { url: loaded.url, text }
  }

  /** ffmpeg checks the extension against the content of some formats. */
  nameOf(resource: Resource): string {
    const key = keyOf(resource)
    const extension = /\.([a-z0-9]{1,5})$/i.exec(URL.parse(resource.url)?.pathname ?? '')?.[1] ?? 'ts'
    let name = this.#names.get(key)
    if (name === undefined) this.#names.set(key, (name = `${this.#numbered++}.${extension}`))
    return name
  }

  /** Resolves when the file is complete. Rejects with SourceError or OutboundError; a later call tries again. */
  fetch(resource: Resource): Promise<void> {
    const key = keyOf(resource)
    const loading = this.#loads.get(key) ?? this.#store(resource)
    this.#loads.set(key, loading)
    loading.catch(() => this.#loads.delete(key))
    return loading
  }

  /** Removes the files that are not among the kept ones. */
  async remove(resources: readonly Resource[], kept: readonly Resource[]): Promise<void> {
    const keptKeys = new Set(kept.map(keyOf))
    for (const resource of resources) {
      const key = keyOf(resource)
      if (keptKeys.has(key)) continue
      const path = join(this.#folder, this.nameOf(resource))
      this.#loads.delete(key)
      this.#names.delete(key)
      this.#sizes.delete(key)
      await rm(path, { force: true })
    }
  }

  async #store(resource: Resource): Promise<void> {
    const path = join(this.#folder, this.nameOf(resource))
    const { answer } = await load(this.#agent, resource, this.#signal)
    const { range } = resource
    const body =
      range !== null && answer.status === 200 ? cut(answer.body, range.offset, range.length) : answer.body
    const heldBytes = [...this.#sizes.values()].reduce((sum, bytes) => sum + bytes, 0)
    const most = Math.min(longestFileBytes, mostBytes - heldBytes)
    const file = createWriteStream(`${path}.part`)
    try {
      await pipeline(limited(body, most), file, { signal: this.#signal })
    } catch (error) {
      await rm(`${path}.part`, { force: true })
      throw error
    }
    this.#sizes.set(keyOf(resource), file.bytesWritten)
    await rename(`${path}.part`, path)
  }
}

const keyOf = ({ url, range, sequence }: Resource): string =>
  [sequence ?? '', url, ...(range === null ? [] : [range.offset, range.length])].join(' ')

async function* limited(body: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const piece of body) {
    bytes += piece.length
    if (bytes > maxBytes) throw failed(`The source has more than ${Math.floor(maxBytes / 2 ** 20)} MiB.`)
    yield piece
  }
}

/** A server may ignore the range and answer with everything. */
async function* cut(body: AsyncIterable<Buffer>, offset: number, length: number): AsyncGenerator<Buffer> {
  let at = 0
  for await (const piece of body) {
    const part = piece.subarray(Math.max(0, offset - at), Math.max(0, offset + length - at))
    at += piece.length
    if (part.length > 0) yield part
    if (at >= offset + length) return
  }
}
