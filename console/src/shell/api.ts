import { Zoetrope } from '@zoetrope/sdk'
import { confirmCalls } from './requests/confirm-calls.ts'
import { recordCalls, recordingFetch } from './requests/api-requests.ts'

let csrfToken: string | null = null

/** CSRF token of the current session. Null = signed out. */
export const setCsrfToken = (token: string | null): void => {
  csrfToken = token
}

/** The client for all requests of the console: the public API with the session cookie. */
export const zoetrope = confirmCalls(
  recordCalls(
    new Zoetrope({
      baseUrl: location.origin,
      csrfToken: () => csrfToken,
      fetch: recordingFetch,
      // A server restart takes seconds and must not lose the input of a form.
      maxRetries: 6,
    }),
  ),
)
