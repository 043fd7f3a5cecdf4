import { ApiError } from '@zoetrope/sdk'
import { useSyncExternalStore } from 'react'

interface Question {
  readonly isConfirmed: Promise<boolean>
  readonly answer: (isConfirmed: boolean) => void
}

let question: Question | null = null
const listeners = new Set<() => void>()

const set = (next: Question | null): void => {
  question = next
  for (const listener of listeners) listener()
}

/** Opens the dialog that asks for a factor. Concurrent requests share it. */
const ask = (): Promise<boolean> => {
  if (question === null) {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    set({ isConfirmed: promise, answer: resolve })
    return promise
  }
  return question.isConfirmed
}

export const useIsConfirmationAsked = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => question !== null,
  )

export const answerConfirmation = (isConfirmed: boolean): void => {
  question?.answer(isConfirmed)
  set(null)
}

const needsConfirmation = (error: unknown): boolean =>
  error instanceof ApiError && error.reason === 'fresh_factor_required'

/** Returns a client that asks the user to confirm when the server requires it, and repeats the request. */
export const confirmCalls = <T extends object>(client: T): T =>
  new Proxy(client, {
    get: (resources, name) => {
      const resource: unknown = Reflect.get(resources, name)
      if (typeof resource !== 'object' || resource === null) return resource
      return new Proxy(resource, {
        get: (methods, verb) => {
          const method: unknown = Reflect.get(methods, verb)
          if (typeof method !== 'function') return method
          return (...args: unknown[]) => {
            const call = (): unknown => Reflect.apply(method, methods, args)
            const result = call()
            if (!(result instanceof Promise)) return result
            return result.catch(async (error: unknown) => {
              if (!needsConfirmation(error) || !(await ask())) throw error
              return call()
            })
          }
        },
      })
    },
  })
