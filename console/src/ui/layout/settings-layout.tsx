import '../styles/settings.css'
import { Text, Title } from '@mantine/core'
import { useEffect, useState, type ReactNode } from 'react'
import { useTexts } from '../../shell/texts.ts'

export interface SettingsPart {
  /** Appears in the URL as the anchor of this part. */
  readonly id: string
  readonly title: string
  /** One sentence: what these settings change. */
  readonly description?: ReactNode
  readonly content: ReactNode
}

/** The part at the top of the window. */
const useCurrentPart = (ids: readonly string[]): string | undefined => {
  const [current, setCurrent] = useState(ids[0])
  const key = ids.join()
  useEffect(() => {
    const find = (): void => {
      const parts = key.split(',')
      const passed = parts.filter(
        (id) => (document.getElementById(id)?.getBoundingClientRect().top ?? 1) < 160,
      )
      setCurrent(passed.at(-1) ?? parts[0])
    }
    addEventListener('scroll', find, { passive: true })
    return () => removeEventListener('scroll', find)
  }, [key])
  return current
}

/** Settings in two columns: anchors, and one card for each part. A `SaveBar` follows as `footer`. */
export const SettingsLayout = ({
  parts,
  footer,
}: {
  readonly parts: readonly SettingsPart[]
  readonly footer?: ReactNode
}) => {
  const t = useTexts('ui.settingsLayout')
  const current = useCurrentPart(parts.map(({ id }) => id))
  return (
    <div className="settings">
      <nav className="settings-anchors" aria-label={t('parts')}>
        {parts.map(({ id, title }) => (
          <a key={id} href={`#${id}`} {...(id === current && { 'aria-current': 'true' })}>
            {title}
          </a>
        ))}
      </nav>
      <div className="settings-parts">
        {parts.map(({ id, title, description, content }) => (
          <section key={id} id={id} className="settings-part" aria-labelledby={`${id}-title`}>
            <div className="settings-about">
              <Title order={2} size="h4" id={`${id}-title`}>
                {title}
              </Title>
              {description != null && (
                <Text size="sm" c="dimmed">
                  {description}
                </Text>
              )}
            </div>
            <div className="settings-content">{content}</div>
          </section>
        ))}
        {footer}
      </div>
    </div>
  )
}
