import { Zoetrope } from '@zoetrope/sdk'
import { recordCalls, recordingFetch } from './api-requests.ts'

let csrfToken: string | null = null

/** Of the session that has begun; null = nobody is signed in. */
export const setCsrfToken = (token: string | null): void => {
  csrfToken = token
}

/** Everything that the console does goes through it: the same API that customers have, with the cookie of the session. */
export const zoetrope = recordCalls(
  new Zoetrope({
    baseUrl: location.origin,
    csrfToken: () => csrfToken,
    fetch: recordingFetch,
    // A restart of the server takes seconds; nobody should lose a form to it.
    maxRetries: 6,
  }),
)
