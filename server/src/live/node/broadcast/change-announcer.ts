/** Notifies the listeners of a channel of changes, several at once. */
export class ChangeAnnouncer {
  readonly #listeners = new Set<() => void>()
  #hasChanged = false
  #isAnnouncing = false

  /** Whether a change is not announced yet. */
  get hasChanged(): boolean {
    return this.#hasChanged
  }

  /** Returns a function that stops listening. */
  listen(run: () => void): () => void {
    this.#listeners.add(run)
    return () => void this.#listeners.delete(run)
  }

  markChanged(): void {
    this.#hasChanged = true
  }

  announce(): void {
    this.#hasChanged = false
    this.#notify()
  }

  /** Several rungs are encoded at about the same time, so their changes are announced together. */
  announceSoon(): void {
    if (this.#isAnnouncing) return
    this.#isAnnouncing = true
    queueMicrotask(() => {
      this.#isAnnouncing = false
      this.#notify()
    })
  }

  #notify(): void {
    for (const run of this.#listeners) run()
  }
}
