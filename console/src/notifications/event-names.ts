import { eventNames, familyOf, isOptInEvent, type EventFamily, type EventName } from '@zoetrope/vocabulary'

/** A webhook needs no subscription for its ping, so the console does not offer that family. */
type ChosenFamily = Exclude<EventFamily, 'webhook'>
type ChosenName = Extract<EventName, `${ChosenFamily}.${string}`>

const chosenNames = eventNames.filter((name): name is ChosenName => familyOf(name) !== 'webhook')
const families = new Set(chosenNames.map((name) => familyOf(name) as ChosenFamily))

/** Each family in the order of its life cycle. */
export const eventFamilies = [...families].map((family) => ({
  family,
  names: chosenNames.filter((name) => familyOf(name) === family),
  /** No wildcard includes these events. */
  isOptIn: chosenNames.every((name) => familyOf(name) !== family || isOptInEvent(name)),
}))
