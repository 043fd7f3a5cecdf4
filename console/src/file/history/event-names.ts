import type { zoetrope } from '../../shell/api.ts'
import { useTexts } from '../../shell/texts.ts'

type FileEvent = Awaited<ReturnType<typeof zoetrope.events.list>>['Events'][number]

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

/** A move is an event of both projects: shows it once. */
export const isShownEvent = ({ Event, ProjectId, File }: FileEvent): boolean =>
  Event !== 'file.moved' || ProjectId === File?.ProjectId

/** What happened, in the words of the console. Events of a newer server keep their name. */
export const useEventTitle = (): ((event: string) => string) => {
  const t = useTexts('file.history')
  return (event) => {
    const name = known.find((one) => one === event)
    return name === undefined ? event : t(name)
  }
}
