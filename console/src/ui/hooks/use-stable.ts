import { useCallback, useLayoutEffect, useRef } from 'react'

/** Returns one function for all renders, which calls the latest one: memoised rows do not render again. */
export const useStable = <A extends readonly unknown[], R>(call: (...args: A) => R): ((...args: A) => R) => {
  const latest = useRef(call)
  useLayoutEffect(() => {
    latest.current = call
  })
  return useCallback((...args: A) => latest.current(...args), [])
}
