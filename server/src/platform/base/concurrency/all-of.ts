/**
 * Like `Promise.all`, but after a failure it waits for the others, so that nothing runs on when it throws the
 * error of the first of them. Values that are no promises are returned as they are.
 */
export const allOf = async <const Works extends readonly unknown[]>(
  works: Works,
): Promise<{ -readonly [Index in keyof Works]: Awaited<Works[Index]> }> => {
  for (const result of await Promise.allSettled(works)) if (result.status === 'rejected') throw result.reason
  return Promise.all(works)
}
