import { Type } from 'typebox'
import { idListText } from '../http/openapi-query.ts'

export const projectIdParameter = (description: string) => Type.Optional(idListText(description))

/** The projects that the key sees and those that were asked for; null = all. */
export const bothScopes = (
  visible: readonly number[] | null,
  asked: readonly number[] | null,
): readonly number[] | null => {
  if (visible === null || asked === null) return visible ?? asked
  return asked.filter((projectId) => visible.includes(projectId))
}
