import type { Texts } from './locales/texts.ts'
import type { Options } from './options.ts'
import type { Memory } from './system/memory.ts'

/** Tools that every page of the player needs. */
export interface PageTools {
  readonly options: Options
  readonly texts: Texts
  readonly memory: Memory
}
