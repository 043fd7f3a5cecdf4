const isGroup = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The values of a form after a save: as stored, except for those that changed since they were sent. */
export const keepTyped = <Values>(now: Values, sent: Values, stored: Values): Values => {
  if (isGroup(now) && isGroup(sent) && isGroup(stored))
    return Object.fromEntries(
      Object.entries(stored).map(([name, value]) => [name, keepTyped(now[name], sent[name], value)]),
    ) as Values
  return JSON.stringify(now) === JSON.stringify(sent) ? stored : now
}
