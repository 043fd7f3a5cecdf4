import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'

const pauseMs = 300

/** Searches shortly after the user stops typing. */
export const SearchField = ({
  label,
  value = '',
  onSearch,
}: {
  readonly label: string
  readonly value?: string | undefined
  readonly onSearch: (text: string) => void
}) => {
  const [typed, setTyped] = useState(value)
  const [seen, setSeen] = useState(value)
  const [sent, setSent] = useState(value)
  // Back and cleared filters change the URL from outside.
  if (value !== seen) {
    setSeen(value)
    if (value !== sent) setTyped(value)
  }
  const search = useDebouncedCallback((text: string) => {
    setSent(text)
    onSearch(text)
  }, pauseMs)
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      miw={220}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        search(event.currentTarget.value)
      }}
    />
  )
}
