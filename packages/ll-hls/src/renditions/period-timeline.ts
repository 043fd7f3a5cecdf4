import type { PeriodOrigin } from '../media/live-media.ts'
import type { PeriodStart } from '../media/start-buffer.ts'
import { timelineStartSeconds, type PackagerResume } from './restore-window.ts'

export class PeriodTimeline {
  readonly #epoch: number
  #version: number
  #origins: readonly PeriodOrigin[]
  #availableFromMs: number | undefined
  #seconds: number
  /** Start of the current period in the publisher's time and in ours. */
  #start: { readonly stampMs: number; readonly arrivedAtMs: number } | undefined
  #wallOriginMs = 0
  #hasEnded = false

  constructor(resume: PackagerResume | undefined) {
    this.#epoch = resume?.epoch ?? 0
    this.#version = resume?.periodCount ?? 0
    this.#origins = resume?.origins ?? []
    this.#availableFromMs = resume?.availableFromMs
    this.#seconds = resume?.timelineSeconds ?? timelineStartSeconds
  }

  /** Number of the current period, and of its init segments. */
  get version(): number {
    return this.#version
  }
  /** Where the current period began, or where the next one will begin. */
  get seconds(): number {
    return this.#seconds
  }
  get origins(): readonly PeriodOrigin[] {
    return this.#origins
  }
  /** When the first period began, in milliseconds since 1970. */
  get availableFromMs(): number | undefined {
    return this.#availableFromMs
  }
  get hasEnded(): boolean {
    return this.#hasEnded
  }

  begin({ originMs, startedAtMs }: PeriodStart): void {
    this.#version++
    this.#start = { stampMs: originMs, arrivedAtMs: startedAtMs }
    this.#wallOriginMs = startedAtMs - this.#seconds * 1_000
    this.#availableFromMs ??= startedAtMs
    const origin = {
      version: this.#version,
      epoch: this.#epoch,
      startedAtMs,
      timelineSeconds: this.#seconds,
    }
    this.#origins = [...this.#origins, origin]
  }

  endPeriod(seconds: number): void {
    this.#start = undefined
    this.#seconds = seconds
  }

  end(): void {
    this.#hasEnded = true
  }

  wallMs(seconds: number): number {
    return this.#wallOriginMs + seconds * 1_000
  }

  /** How far the publisher's timestamps are ahead of the wall clock. */
  aheadMs(stampMs: number, nowMs: number): number {
    return this.#start ? stampMs - this.#start.stampMs - (nowMs - this.#start.arrivedAtMs) : -Infinity
  }

  originOf(version: number): PeriodOrigin | undefined {
    return this.#origins.find((origin) => origin.version === version)
  }

  /** Drops the periods that no segment needs. Returns whether it dropped any. */
  keep(isNeeded: (version: number) => boolean): boolean {
    if (this.#origins.every(({ version }) => isNeeded(version))) return false
    this.#origins = this.#origins.filter(({ version }) => isNeeded(version))
    return true
  }
}
