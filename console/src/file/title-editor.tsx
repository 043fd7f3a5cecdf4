import { Loader, TextInput, Title, UnstyledButton } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useEffect, useRef, useState, type SubmitEvent } from 'react'
import { flushSync } from 'react-dom'
import { useTexts } from '../shell/texts.ts'

/** The title of the screen. A click on it edits it in place: Enter saves, Escape leaves it as it was. */
export const TitleEditor = ({
  title,
  isSaving,
  onSave,
}: {
  readonly title: string
  readonly isSaving: boolean
  /** `before` is the title at the start of the edit. */
  readonly onSave: (title: string, before: string) => void
}) => {
  const t = useTexts('file.titleEditor')
  const [typed, setTyped] = useState<string | null>(null)
  const [before, setBefore] = useState(title)
  const button = useRef<HTMLButtonElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const isEditing = typed !== null
  useEffect(() => {
    if (isEditing) input.current?.focus()
  }, [isEditing])
  const close = (): void => {
    // The button exists again after the render.
    flushSync(() => setTyped(null))
    button.current?.focus()
  }
  const save = (): void => {
    const next = typed?.trim() ?? ''
    // Another user may have changed the title meanwhile.
    if (next !== '' && next !== before && next !== title) onSave(next, before)
    setTyped(null)
  }
  if (typed === null)
    return (
      <Title order={1} size="h2" title={title} className="title-editor">
        <UnstyledButton
          ref={button}
          title={t('edit')}
          onClick={() => {
            setBefore(title)
            setTyped(title)
          }}
        >
          <span>{title}</span>
          {isSaving ? <Loader size={16} /> : <IconPencil size={16} aria-hidden />}
        </UnstyledButton>
      </Title>
    )
  return (
    <form
      className="title-editor"
      onSubmit={(event: SubmitEvent) => {
        event.preventDefault()
        save()
        close()
      }}
    >
      <TextInput
        aria-label={t('title')}
        ref={input}
        maxLength={500}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onFocus={(event) => event.currentTarget.select()}
        onBlur={save}
        onKeyDown={(event) => {
          if (event.key === 'Escape') close()
          if (event.key.toLowerCase() === 's' && (event.ctrlKey || event.metaKey)) {
            event.preventDefault()
            save()
            close()
          }
        }}
      />
    </form>
  )
}
