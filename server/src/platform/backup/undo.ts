import { rm } from 'node:fs/promises'
import { isServerError } from '../db/driver/connection.ts'
import { BackupError, BackupInterrupted } from './backup-manifest.ts'
import { terminalText } from './terminal-text.ts'

/** For errors of `mkdir` and `readdir`. Node.js reports ENOENT for a read-only disk. */
export const cannotUse = (folder: string, error: unknown): BackupError =>
  new BackupError(
    (error as NodeJS.ErrnoException).code === 'ENOTDIR'
      ? `${folder} is a file, or is in one. Name a folder.`
      : `Cannot use the folder ${folder} (${(error as Error).message}). Check that its disk is mounted and writable.`,
    { cause: error },
  )

/** An error of the driver for a lost connection has the last message of the server as its cause. */
const rootOf = (error: unknown): Error & { readonly code?: string } =>
  error instanceof Error && error.cause instanceof Error ? rootOf(error.cause) : (error as Error)

// PostgreSQL has a code of its own for ENOSPC.
const isFullDisk = ({ code, message }: ReturnType<typeof rootOf>): boolean =>
  code === 'ENOSPC' || code === '53100' || message.includes('No space left on device')

/** These errors need no stack trace: they are about the disk or the database. */
const isOfSurroundings = (error: ReturnType<typeof rootOf>): boolean =>
  'syscall' in error || error.code === 'CONNECTION_CLOSED' || isServerError(error)

const undone = {
  backup: 'The incomplete backup was deleted.',
  // A database of the operator may have tables.
  restore: 'The data folder is empty again.',
} as const

/** Removes what a failed backup or restore has written. Returns the error for the operator. */
export const undo = async (
  error: unknown,
  {
    what,
    signal,
    paths,
  }: {
    readonly what: keyof typeof undone
    readonly signal: AbortSignal
    readonly paths: readonly string[]
  },
): Promise<unknown> => {
  const left: string[] = []
  for (const path of paths)
    await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => left.push(path))
  const outcome = left.length === 0 ? undone[what] : `Delete what it has left: ${left.join(', ')}`
  if (signal.aborted) return new BackupInterrupted(`The ${what} was interrupted. ${outcome}`)
  if (!(error instanceof Error) || error instanceof BackupError) return error
  const root = rootOf(error)
  // PostgreSQL quotes the value that it refuses.
  const reason = terminalText(root.message)
  if (isFullDisk(root)) return new BackupError(`The disk is full (${reason}). ${outcome}`, { cause: error })
  return isOfSurroundings(error)
    ? new BackupError(`The ${what} failed (${reason}). ${outcome}`, { cause: error })
    : error
}
