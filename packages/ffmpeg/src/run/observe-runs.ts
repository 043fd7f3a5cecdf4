/** Is called when a media process starts, and what it returns when the process has ended. */
export type RunObserver = (program: string) => (exit: { readonly exitCode: number | null }) => void

let observer: RunObserver | null = null

/** For traces; null = none. */
export const setRunObserver = (observe: RunObserver | null): void => {
  observer = observe
}

export const observeRun = (program: string): ReturnType<RunObserver> | null => observer?.(program) ?? null
