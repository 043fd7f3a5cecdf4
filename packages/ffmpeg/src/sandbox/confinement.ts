/** What one process may reach beside its libraries. Paths are absolute. */
export interface Confinement {
  /** Files and folders that it may read, with its program. */
  readonly readable: readonly string[]
  /** Existing files and folders that it may also write. */
  readonly writable: readonly string[]
  /** Whether it may open UDP sockets, as SRT needs. */
  readonly network: boolean
}
