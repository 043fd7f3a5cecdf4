import { invalidField } from '../problem.ts'
import { eventNames, isSubscription, subscriptionsMatching } from './domain-event.ts'

/** The events that a filter `event` of a list means. Throws 'invalid'. */
export const parseEventNames = (text: string): readonly string[] => {
  const wanted = text.split(',')
  const unknown = wanted.find((one) => !isSubscription(one))
  if (unknown !== undefined)
    throw invalidField(
      'event',
      `takes names such as file.new, families such as file.* and *, separated by commas, not "${unknown.slice(0, 40)}".`,
    )
  return eventNames.filter((name) => subscriptionsMatching(name).some((one) => wanted.includes(one)))
}
