import type { Operation } from './openapi-exchange.ts'

const sharedNames: Readonly<Record<string, string>> = {
  304: 'NotModified',
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  412: 'Stale',
  413: 'TooLarge',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'Unavailable',
  507: 'StorageFull',
}

const mostFrequent = (texts: readonly string[]): string | undefined => {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  const [first] = [...counts].toSorted(([, a], [, b]) => b - a)
  return first !== undefined && first[1] > 1 ? first[0] : undefined
}

/**
 * Moves repeated responses to `components/responses` and references them; they made up two thirds of the
 * document. Shares the most frequent wording of each status and leaves the others. Modifies the operations in
 * place.
 */
export const shareAnswers = (operations: readonly Operation[]): Record<string, object> => {
  const shared: Record<string, object> = {}
  for (const [status, name] of Object.entries(sharedNames)) {
    const answers = operations.map(({ responses }) => responses[status])
    const text = mostFrequent(
      answers.flatMap((answer) => (answer === undefined ? [] : [JSON.stringify(answer)])),
    )
    if (text === undefined) continue
    shared[name] = JSON.parse(text) as object
    for (const { responses } of operations)
      if (JSON.stringify(responses[status]) === text)
        responses[status] = { $ref: `#/components/responses/${name}` } as unknown as NonNullable<
          Operation['responses'][string]
        >
  }
  return shared
}
