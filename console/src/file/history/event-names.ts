import { useTexts } from '../../shell/texts.ts'

const known = [
  ...([
    'file.created',
    'file.uploaded',
    'file.encoding',
    'file.playable',
    'file.encoded',
    'file.new',
  ] as const),
  ...(['file.failed', 'file.updated', 'file.released', 'file.unreleased', 'file.replaced'] as const),
  ...(['file.deleted', 'file.restored', 'file.moved'] as const),
]

/** What happened, in the words of the console. Events of a newer server keep their name. */
export const useEventTitle = (): ((event: string) => string) => {
  const t = useTexts('file.history')
  return (event) => {
    const name = known.find((one) => one === event)
    return name === undefined ? event : t(name)
  }
}
