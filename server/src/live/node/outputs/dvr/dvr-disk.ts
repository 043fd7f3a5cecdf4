import { readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../../../../platform/log/log.ts'
import { freeBytesOf } from '../free-bytes.ts'

export interface DvrDiskOptions {
  readonly folder: string
  /** Other nodes with the same name share the folder. */
  readonly name: string
  /** Limit of all windows of this node together. */
  readonly maxBytes: number
  /** Bytes left to other users of the disk. */
  readonly leastFreeBytes: number
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly log: Log
  readonly readFreeBytes?: (folder: string) => Promise<number>
}

export interface DvrUser {
  readonly sizeBytes: () => number
  readonly canDrop: () => boolean
  readonly dropOldest: () => Promise<void>
}

/** How long a reading of the free disk space is reused. */
const freeBytesHoldMs = 5_000
/** Viewers behind live may continue for this long after the end of a broadcast. */
const afterEndMs = 10 * 60_000
/** A reconnect window lasts at most ten minutes, so a folder unchanged for this long is abandoned. */
const deadAfterMs = 60 * 60_000
const endedName = 'ended'

/**
 * Disk budget shared by all DVR windows of a node. When it is used up, ended broadcasts are dropped first,
 * then the oldest minutes of the largest window. Small windows keep theirs.
 */
export class DvrDisk {
  readonly #options: DvrDiskOptions
  readonly #users = new Map<string, DvrUser>()
  /** Bytes left by ended broadcasts, oldest first. */
  readonly #ended = new Map<string, number>()
  /** Bytes in folders that are not open, including those of `#ended`. */
  #otherBytes = 0
  #free = { bytes: 0, readAtMs: -Infinity }

  constructor(options: DvrDiskOptions) {
    this.#options = options
  }

  get name(): string {
    return this.#options.name
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

  /** Keeps the bytes for the process that resumes, or until the sweep removes them. */
  async close(name: string, user: DvrUser, why: 'ended' | 'shutdown'): Promise<void> {
    // The broadcast may have come back to this node meanwhile.
    if (this.#users.get(name) !== user) return
    const sizeBytes = user.sizeBytes()
    this.#otherBytes += sizeBytes
    this.#users.delete(name)
    if (why === 'ended') this.#ended.set(name, sizeBytes)
    // The folder may not exist when nothing was written.
    if (why === 'ended') await writeFile(join(this.folderOf(name), endedName), '').catch(() => {})
  }

  /**
   * Returns whether this many bytes fit. To make room, drops ended broadcasts first, then the oldest minutes
   * of the largest window.
   */
  async makeRoom(sizeBytes: number): Promise<boolean> {
    while (!(await this.#hasRoom(sizeBytes))) {
      if (!(await this.#dropSome())) return false
      this.#free.readAtMs = -Infinity
    }
    this.#free.bytes -= sizeBytes
    return true
  }

  /** Returns whether the disk has this many bytes free. The limit of all windows does not apply, unless it is 0. */
  async takeFree(sizeBytes: number): Promise<boolean> {
    if (this.#options.maxBytes === 0 || !(await this.#hasFree(sizeBytes))) return false
    this.#free.bytes -= sizeBytes
    return true
  }

  /** Removes the folders of ended and abandoned broadcasts. Must be called at the start and at intervals. */
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
        // The folder may have been opened meanwhile.
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
    this.#options.log.warn({ err: error, name }, 'cannot delete the rest of a DVR window')
  }

  async #hasRoom(sizeBytes: number): Promise<boolean> {
    return this.usedBytes() + sizeBytes <= this.#options.maxBytes && (await this.#hasFree(sizeBytes))
  }

  async #hasFree(sizeBytes: number): Promise<boolean> {
    const { leastFreeBytes, folder, now, readFreeBytes = freeBytesOf } = this.#options
    // The clock may have been set back.
    if (Math.abs(now() - this.#free.readAtMs) >= freeBytesHoldMs)
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
