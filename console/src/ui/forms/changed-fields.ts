export const changedFields = <Values extends object>(before: Values, after: Values): Partial<Values> => {
  const was = new Map<string, unknown>(Object.entries(before))
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(was.get(name))),
  ) as Partial<Values>
}
