import { entriesOf, type Logged } from '../workload/journal.ts'
import { lost, wrong, type Finding } from './findings.ts'

export interface EventRow {
  readonly id: number
  /** The file or live stream that the event is about; its deliveries come in order. */
  readonly subject: string
  readonly name: string
  readonly sequence: number
}

const listed = (numbers: readonly number[]): string => numbers.slice(0, 10).join(', ')

/** The events of each subject are numbered from 1 without a gap. */
export const checkSequences = (events: readonly EventRow[]): Finding[] =>
  [...Map.groupBy(events, ({ subject }) => subject)].flatMap(([subject, of]) => {
    const numbers = of.map(({ sequence }) => sequence).toSorted((a, b) => a - b)
    const isWhole = numbers.every((number, index) => number === index + 1)
    return isWhole ? [] : [wrong(`the events of ${subject} have the numbers ${numbers.join(', ')}`)]
  })

/** Each event was delivered at least once, and the first deliveries of a subject came in order. */
export const checkDeliveries = (
  journal: readonly Logged[],
  events: readonly EventRow[],
  webhookId: number,
): Finding[] => {
  const delivered = entriesOf(journal, 'delivered')
  const firsts = new Map<string, (typeof delivered)[number]>()
  for (const one of delivered) if (!firsts.has(one.id)) firsts.set(one.id, one)
  const missing = events.filter(({ id }) => !firsts.has(`evt_${id}_${webhookId}`))
  const known = new Set(events.map(({ id }) => `evt_${id}_${webhookId}`))
  const invented = [...firsts.keys()].filter((id) => !known.has(id))
  const disordered = [...Map.groupBy(firsts.values(), ({ subject }) => subject)].flatMap(([subject, of]) => {
    const numbers = of.map(({ sequence }) => sequence)
    const at = numbers.findIndex((number, index) => index > 0 && number < (numbers[index - 1] ?? 0))
    return at === -1 ? [] : [wrong(`${subject}: event ${numbers[at]} was delivered after ${numbers[at - 1]}`)]
  })
  return [
    ...(missing.length === 0
      ? []
      : [lost(`${missing.length} events were not delivered: ${listed(missing.map(({ id }) => id))}`)]),
    ...invented.map((id) => wrong(`${id} was delivered, but there is no such event`)),
    ...disordered,
  ]
}

/** Each acknowledged change of a record has an event with that record. */
export const checkChanges = (
  journal: readonly Logged[],
  titlesOf: ReadonlyMap<number, ReadonlySet<string>>,
): Finding[] =>
  entriesOf(journal, 'changed')
    .filter(({ fileId, title }) => titlesOf.get(fileId)?.has(title) !== true)
    .map(({ fileId, title }) => lost(`the change of file ${fileId} to "${title}" has no event`))
