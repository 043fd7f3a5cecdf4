import { Type } from 'typebox'

export const projectIdParameter = (description: string) =>
  Type.Optional(Type.String({ description, maxLength: 10_000, examples: ['3'] }))

/** The projects that the key sees and those that were asked for; null = all. */
export const bothScopes = (
  visible: readonly number[] | null,
  asked: readonly number[] | null,
): readonly number[] | null => {
  if (visible === null || asked === null) return visible ?? asked
  return asked.filter((projectId) => visible.includes(projectId))
}
