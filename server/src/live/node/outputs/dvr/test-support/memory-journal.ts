import type { Journal, JournalLines } from '../journal.ts'

/** A journal that outlives the node, like that in the database. */
export const createMemoryJournal = (): Journal => {
  let rows: JournalLines[] = []
  return {
    append: (block, lines) => void rows.push({ block, lines }),
    flush: async () => {},
    dropBlock: (dropped) => {
      rows = rows.filter(({ block }) => block !== dropped)
    },
    dropAll: async () => {
      rows = []
    },
    read: async () => rows,
  }
}
