import { expect, test } from 'vitest'
import type { Entry, Logged } from '../workload/journal.ts'
import { checkChanges, checkDeliveries, checkSequences, type EventRow } from './events.ts'

const webhookId = 2
const event = (id: number, subject: string, sequence: number): EventRow => ({
  id,
  subject,
  name: 'file.updated',
  sequence,
})
const events = [event(1, 'file 1', 1), event(2, 'file 2', 1), event(3, 'file 1', 2)]
const journalOf = (...entries: readonly Entry[]): Logged[] =>
  entries.map((entry, index) => ({ ...entry, atMs: index }))
const delivery = ({ id, subject, sequence, name }: EventRow): Entry => ({
  kind: 'delivered',
  id: `evt_${id}_${webhookId}`,
  event: name,
  subject,
  sequence,
})
const [first, second, third] = events as [EventRow, EventRow, EventRow]

test('accepts deliveries in order per file, in any order between files, and repeats', () => {
  const journal = journalOf(...[second, first, third, first, second].map(delivery))
  expect(checkDeliveries(journal, events, webhookId)).toEqual([])
})

test('finds an event that was not delivered', () => {
  expect(checkDeliveries(journalOf(...[first, third].map(delivery)), events, webhookId)).toEqual([
    { kind: 'lost', text: '1 events were not delivered: 2' },
  ])
})

test('finds an event that overtook an earlier one of its file', () => {
  expect(checkDeliveries(journalOf(...[third, first, second].map(delivery)), events, webhookId)).toEqual([
    { kind: 'wrong', text: 'file 1: event 1 was delivered after 2' },
  ])
})

test('finds a delivery of an event that does not exist', () => {
  const journal = journalOf(...[...events, event(9, 'file 3', 1)].map(delivery))
  expect(checkDeliveries(journal, events, webhookId)).toEqual([
    { kind: 'wrong', text: 'evt_9_2 was delivered, but there is no such event' },
  ])
})

test('finds a gap and a repeated number in the events of a file', () => {
  expect(checkSequences(events)).toEqual([])
  expect(checkSequences([first, event(4, 'file 1', 3)])).toHaveLength(1)
  expect(checkSequences([first, event(4, 'file 1', 1)])).toHaveLength(1)
})

test('finds an acknowledged change without an event', () => {
  const journal = journalOf(
    { kind: 'changed', projectId: 1, fileId: 1, title: 'one' },
    { kind: 'changed', projectId: 1, fileId: 1, title: 'two' },
  )
  expect(checkChanges(journal, new Map([[1, new Set(['two'])]]))).toEqual([
    { kind: 'lost', text: 'the change of file 1 to "one" has no event' },
  ])
})
