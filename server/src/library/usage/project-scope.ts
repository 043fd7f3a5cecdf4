import { Type } from 'typebox'
import { idListText } from '../../platform/http/openapi/openapi-query.ts'

export const projectIdParameter = (description: string) => Type.Optional(idListText(description))

/** Intersects the projects visible to the key with the requested ones. Null = all. */
export const bothScopes = (
  visible: readonly number[] | null,
  asked: readonly number[] | null,
): readonly number[] | null => {
  if (visible === null || asked === null) return visible ?? asked
  return asked.filter((projectId) => visible.includes(projectId))
}
