/**
 * Extensions of media files. Other files in a dropped folder are ignored; files dropped individually are
 * accepted, because the server examines them.
 */
const mediaEndings =
  /\.(mp4|m4v|mov|mkv|webm|ts|m2ts|mts|mpg|mpeg|avi|wmv|flv|mxf|ogv|3gp|mp3|m4a|aac|wav|flac|ogg|opus)$/i

export const isMedia = ({ name, type }: { readonly name: string; readonly type: string }): boolean =>
  !name.startsWith('.') && (/^(video|audio)\//.test(type) || mediaEndings.test(name))

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject))

const readAll = async (folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> => {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    // It returns up to a hundred entries at a time, and none at the end.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (some.length === 0) return all
    all.push(...some)
  }
}

const filesIn = async (entry: FileSystemEntry, isInFolder: boolean): Promise<File[]> => {
  if (entry.isFile) {
    const file = await fileOf(entry as FileSystemFileEntry)
    return !isInFolder || isMedia(file) ? [file] : []
  }
  const files: File[] = []
  for (const inner of await readAll(entry as FileSystemDirectoryEntry))
    files.push(...(await filesIn(inner, true)))
  return files
}

/**
 * Returns dropped files, including those in nested folders. The transfer is empty after its event, so all
 * entries are requested at once.
 */
export const droppedFiles = async (transfer: DataTransfer): Promise<File[]> => {
  const plain = [...transfer.files]
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry())
  if (entries.every((entry) => entry === null || entry.isFile)) return plain
  const files = await Promise.all(
    entries.filter((entry) => entry !== null).map((entry) => filesIn(entry, false)),
  )
  return files.flat()
}
