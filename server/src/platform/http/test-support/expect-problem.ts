import { expect } from 'vitest'
import { statusOf, type ProblemCode } from '../../base/problem.ts'
import type { Answer } from '../../../../test/support/test-server.ts'

/** Expects the error body that the API contract fixes for every response except 2xx and 3xx. */
export const expectProblem = (answer: Answer, type: ProblemCode): void => {
  const { status, headers, body } = answer
  expect({ status, body }).toMatchObject({
    status: statusOf[type],
    body: { error: { code: statusOf[type], type } },
  })
  expect(headers.get('content-type')).toMatch(/^application\/json\b/)
  expect(headers.get('x-request-id')).toBe(body.error.requestId)
  expect(Object.keys(body)).toEqual(['error'])
  expect(body.error.message).toMatch(/^[^\n]{10,400}$/)
  expect(JSON.stringify(body)).not.toMatch(/node_modules|\.ts:\d|\bat \w+ \(|FST_|select .+ from|\/src\//)
}
