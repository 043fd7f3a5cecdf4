import { eventNames } from '@zoetrope/vocabulary'
import { invalidField } from '../base/problem.ts'
import { selectorsOf } from './domain-event.ts'

/** Returns the events that an `event` filter of a list selects. Throws 'invalid' for an unknown name. */
export const parseEventNames = (text: string): readonly string[] => {
  const wanted = text.split(',')
  const unknown = wanted.find((one) => !eventNames.some((name) => selectorsOf(name).includes(one)))
  if (unknown !== undefined)
    throw invalidField('event', 'unknown_event_names', { value: unknown.slice(0, 40) })
  return eventNames.filter((name) => selectorsOf(name).some((one) => wanted.includes(one)))
}
