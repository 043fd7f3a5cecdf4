import { readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../../kernel/log.ts'
import { freeBytesOf } from '../free-bytes.ts'

export interface DvrDiskOptions {
  readonly folder: string
  /** Of all windows of this node together. */
  readonly maxBytes: number
  /** What other users of the disk are left. */
  readonly leastFreeBytes: number
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly log: Log
  readonly readFreeBytes?: (folder: string) => Promise<number>
}

/** A window as the disk sees it. */
export interface DvrUser {
  readonly sizeBytes: () => number
  /** Whether there is a block that it could do without. */
  readonly canDrop: () => boolean
  readonly dropOldest: () => Promise<void>
}

/** How long what the file system said of its room is believed. */
const freeBytesHoldMs = 5_000
/** Viewers who are behind go on for as long after the end of a broadcast. */
const afterEndMs = 10 * 60_000
/** A reconnect window lasts ten minutes at most: what nobody has come back to since then is dead. */
const deadAfterMs = 60 * 60_000
const endedName = 'ended'

/**
 * The room that all DVR windows of a node share. Where it ends, broadcasts that are over go first, then the oldest minutes of the largest window:
 * who has little keeps it.
 */
export class DvrDisk {
  readonly #options: DvrDiskOptions
  readonly #users = new Map<string, DvrUser>()
  /** What broadcasts that are over have left, oldest first. */
  readonly #ended = new Map<string, number>()
  /** In folders that nobody has opened, those of `#ended` included. */
  #otherBytes = 0
  #free = { bytes: 0, readAtMs: -Infinity }

  constructor(options: DvrDiskOptions) {
    this.#options = options
  }

  folderOf(name: string): string {
    return join(this.#options.folder, name)
  }

  usedBytes(): number {
    return this.#users.values().reduce((sum, user) => sum + user.sizeBytes(), this.#otherBytes)
  }

  open(name: string, user: DvrUser): void {
    this.#users.set(name, user)
  }

  /** Its bytes stay, for the process that goes on or until they are swept. */
  async close(name: string, why: 'ended' | 'shutdown'): Promise<void> {
    const sizeBytes = this.#users.get(name)?.sizeBytes() ?? 0
    this.#otherBytes += sizeBytes
    this.#users.delete(name)
    if (why === 'ended') this.#ended.set(name, sizeBytes)
    // A folder that was never written to need not be there.
    if (why === 'ended') await writeFile(join(this.folderOf(name), endedName), '').catch(() => {})
  }

  /** Whether there is room for so much; drops what is over, or minutes of others or of who asks, if that makes some. */
  async makeRoom(sizeBytes: number): Promise<boolean> {
    while (!(await this.#hasRoom(sizeBytes))) {
      if (!(await this.#dropSome())) return false
      this.#free.readAtMs = -Infinity
    }
    this.#free.bytes -= sizeBytes
    return true
  }

  /** Removes what is left of broadcasts that are over, or that nobody has come back to. To be called at the start, and now and then. */
  async sweep(): Promise<void> {
    const { folder, now } = this.#options
    const names = await readdir(folder).catch(() => [])
    let otherBytes = 0
    const ended = new Map<string, number>()
    for (const name of names) {
      if (this.#users.has(name)) continue
      try {
        const left = await look(this.folderOf(name))
        const lifeMs = left.hasEnded ? afterEndMs : deadAfterMs
        if (left.changedAtMs + lifeMs > now()) {
          otherBytes += left.sizeBytes
          if (left.hasEnded) ended.set(name, left.sizeBytes)
        }
        // It may have been opened since.
        else if (!this.#users.has(name)) await rm(this.folderOf(name), { recursive: true, force: true })
      } catch (error) {
        this.#warnOfRest(error, name)
      }
    }
    this.#otherBytes = otherBytes
    this.#ended.clear()
    for (const [name, sizeBytes] of ended) this.#ended.set(name, sizeBytes)
  }

  async #dropSome(): Promise<boolean> {
    const [ended] = this.#ended
    if (ended !== undefined) {
      const [name, sizeBytes] = ended
      this.#ended.delete(name)
      this.#otherBytes = Math.max(0, this.#otherBytes - sizeBytes)
      await rm(this.folderOf(name), { recursive: true, force: true }).catch((error: unknown) =>
        this.#warnOfRest(error, name),
      )
      return true
    }
    const droppable = [...this.#users.values()].filter((user) => user.canDrop())
    const [largest] = droppable.toSorted((a, b) => b.sizeBytes() - a.sizeBytes())
    await largest?.dropOldest()
    return largest !== undefined
  }

  #warnOfRest(error: unknown, name: string): void {
    this.#options.log.warn({ err: error, name }, 'what is left of a DVR window cannot be removed')
  }

  async #hasRoom(sizeBytes: number): Promise<boolean> {
    const { maxBytes, leastFreeBytes, folder, now, readFreeBytes = freeBytesOf } = this.#options
    if (this.usedBytes() + sizeBytes > maxBytes) return false
    if (now() - this.#free.readAtMs >= freeBytesHoldMs)
      this.#free = { bytes: await readFreeBytes(folder), readAtMs: now() }
    return this.#free.bytes - sizeBytes >= leastFreeBytes
  }
}

const look = async (folder: string) => {
  const names = await readdir(folder)
  const files = await Promise.all(names.map(async (name) => stat(join(folder, name))))
  return {
    sizeBytes: files.reduce((sum, { size }) => sum + size, 0),
    changedAtMs: files.reduce(
      (latest, { mtimeMs }) => Math.max(latest, mtimeMs),
      (await stat(folder)).mtimeMs,
    ),
    hasEnded: names.includes(endedName),
  }
}
