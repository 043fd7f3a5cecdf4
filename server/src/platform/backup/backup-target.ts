import { open, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { copyInProgress, copyWhole, exists, linkFolder, listFiles } from './copy-files.ts'
import { encryptedSuffix, encryptFor, streamWhole, unchanged } from './encryption.ts'

/** Where a backup writes; all paths are relative to the folder of the backup. */
export interface BackupTarget {
  /** Adds the missing files of a folder whose files never change under their name. */
  readonly addUnchanging: (from: string, path: string) => Promise<void>
  /** Keeps the files of a folder readable until `addInProgress`, even when they are moved. */
  readonly holdInProgress: (from: string, path: string) => Promise<void>
  /** Adds the current content of the held files and of new ones. */
  readonly addInProgress: (from: string, path: string) => Promise<void>
  /** Adds one file, if it exists. */
  readonly addFile: (from: string, path: string) => Promise<void>
  readonly write: (path: string, content: AsyncIterable<Uint8Array>) => Promise<void>
  readonly close: () => Promise<void>
}

export const createPlainTarget = (folder: string, signal: AbortSignal): BackupTarget => ({
  addUnchanging: (from, path) => linkFolder(from, join(folder, path), signal),
  holdInProgress: (from, path) => linkFolder(from, join(folder, path), signal),
  addInProgress: (from, path) => copyInProgress(from, join(folder, path), signal),
  addFile: async (from, path) => {
    await copyWhole(from, join(folder, path))
  },
  write: (path, content) => streamWhole(content, unchanged, join(folder, path), signal),
  close: async () => {},
})

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'

/** Encrypts each file by itself on its way into the folder. Nothing is written there in plain text. */
export const createEncryptedTarget = (
  folder: string,
  recipients: readonly string[],
  signal: AbortSignal,
): BackupTarget => {
  const encrypt = encryptFor(recipients)
  const target = (path: string): string => join(folder, `${path}${encryptedSuffix}`)
  /** By path in the backup. An open file stays readable when it is renamed or deleted. */
  const held = new Map<string, FileHandle>()

  /** Returns false when the source no longer exists. */
  const add = async (from: string, path: string): Promise<boolean> => {
    try {
      await streamWhole(from, encrypt, target(path), signal)
      return true
    } catch (error) {
      if (isMissing(error)) return false
      throw error
    }
  }

  return {
    addUnchanging: async (from, path) => {
      for (const name of await listFiles(from))
        if (!(await exists(target(join(path, name))))) await add(join(from, name), join(path, name))
    },
    holdInProgress: async (from, path) => {
      for (const name of await listFiles(from)) {
        const handle = await open(join(from, name)).catch((error: unknown) => {
          if (isMissing(error)) return null
          throw error
        })
        if (handle !== null) held.set(join(path, name), handle)
      }
    },
    addInProgress: async (from, path) => {
      for (const name of await listFiles(from)) await add(join(from, name), join(path, name))
      for (const [heldPath, handle] of held) {
        if (!heldPath.startsWith(`${path}/`) || (await exists(target(heldPath)))) continue
        const content = handle.createReadStream({ start: 0, autoClose: false })
        await streamWhole(content, encrypt, target(heldPath), signal)
      }
    },
    addFile: async (from, path) => {
      await add(from, path)
    },
    write: (path, content) => streamWhole(content, encrypt, target(path), signal),
    close: async () => {
      for (const handle of held.values()) await handle.close()
      held.clear()
    },
  }
}
