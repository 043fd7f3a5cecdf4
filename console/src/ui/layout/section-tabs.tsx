import '../styles/split.css'
import { Tabs } from '@mantine/core'
import type { ReactNode } from 'react'
import { useShownTab } from './use-shown-tab.ts'

/** The sections of a screen. Only the open one is mounted. */
export const SectionTabs = <Name extends string>({
  label,
  sections,
  open,
  onOpen,
}: {
  readonly label: string
  readonly sections: readonly { readonly name: Name; readonly title: string; readonly panel: ReactNode }[]
  readonly open: Name
  readonly onOpen: (name: Name) => void
}) => {
  const list = useShownTab(open)
  return (
    <Tabs value={open} keepMounted={false} onChange={(value) => value !== null && onOpen(value as Name)}>
      <Tabs.List ref={list} aria-label={label} className="section-tabs" mb="md">
        {sections.map(({ name, title }) => (
          <Tabs.Tab key={name} value={name}>
            {title}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {sections.map(({ name, panel }) => (
        <Tabs.Panel key={name} value={name}>
          {panel}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
