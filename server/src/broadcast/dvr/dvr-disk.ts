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
  /** When its oldest block that it could do without was begun; undefined where there is none. */
  readonly oldestAtMs: () => number | undefined
  readonly dropOldest: () => Promise<void>
}

/** How long what the file system said of its room is believed. */
const freeBytesHoldMs = 5_000
/** Viewers who are behind go on for as long after the end of a broadcast. */
const afterEndMs = 10 * 60_000
/** A reconnect window lasts ten minutes at most: what nobody has come back to since then is dead. */
const deadAfterMs = 60 * 60_000
const endedName = 'ended'

/** The room that all DVR windows of a node share. Where it ends, the oldest minutes of all go first. */
export class DvrDisk {
  readonly #options: DvrDiskOptions
  readonly #users = new Map<string, DvrUser>()
  /** In folders that nobody has opened. */
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
    this.#otherBytes += this.#users.get(name)?.sizeBytes() ?? 0
    this.#users.delete(name)
    // A folder that was never written to need not be there.
    if (why === 'ended') await writeFile(join(this.folderOf(name), endedName), '').catch(() => {})
  }

  /** Whether there is room for so much; drops the oldest minutes of others or of who asks if that makes some. */
  async makeRoom(sizeBytes: number): Promise<boolean> {
    while (!(await this.#hasRoom(sizeBytes))) {
      const oldest = this.#oldest()
      if (oldest === undefined) return false
      await oldest.dropOldest()
      this.#free.readAtMs = -Infinity
    }
    this.#free.bytes -= sizeBytes
    return true
  }

  /** Removes what is left of broadcasts that are over, or that nobody has come back to. To be called at the start, and now and then. */
  async sweep(): Promise<void> {
    const { folder, now, log } = this.#options
    const names = await readdir(folder).catch(() => [])
    let otherBytes = 0
    for (const name of names) {
      if (this.#users.has(name)) continue
      try {
        const left = await look(this.folderOf(name))
        const lifeMs = left.hasEnded ? afterEndMs : deadAfterMs
        if (left.changedAtMs + lifeMs > now()) otherBytes += left.sizeBytes
        // It may have been opened since.
        else if (!this.#users.has(name)) await rm(this.folderOf(name), { recursive: true, force: true })
      } catch (error) {
        log.warn({ err: error, name }, 'what is left of a DVR window cannot be removed')
      }
    }
    this.#otherBytes = otherBytes
  }

  #oldest(): DvrUser | undefined {
    const ages = [...this.#users.values()].flatMap((user) => {
      const atMs = user.oldestAtMs()
      return atMs === undefined ? [] : [{ user, atMs }]
    })
    return ages.toSorted((a, b) => a.atMs - b.atMs)[0]?.user
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
