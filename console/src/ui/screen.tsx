import './styles/screen.css'
import { ActionIcon, Text, Title } from '@mantine/core'
import { IconChevronRight, IconDots } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, type ReactNode } from 'react'
import { useTexts } from '../shell/texts.ts'
import { LazyMenu } from './menu/lazy-menu.tsx'

export interface Crumb {
  readonly label: string
  /** A path below `/console`. */
  readonly to: string
}

/** Lets table heads stick below the header of the screen. */
const useHeaderHeight = () => {
  const screen = useRef<HTMLDivElement>(null)
  const header = useRef<HTMLElement>(null)
  useEffect(() => {
    if (header.current === null) return undefined
    const observer = new ResizeObserver(([entry]) => {
      const height = entry?.borderBoxSize[0]?.blockSize ?? 0
      screen.current?.style.setProperty('--screen-header-height', `${height}px`)
    })
    observer.observe(header.current)
    return () => observer.disconnect()
  }, [])
  return { screen, header }
}

/** A page of the console: one header, which stays in view, and the content. */
export const Screen = ({
  title,
  heading,
  crumbs = [],
  status,
  description,
  actions,
  menu,
  children,
}: {
  readonly title: string
  /** In place of the title, for one that is edited where it stands. Contains the `h1`. */
  readonly heading?: ReactNode
  /** Screens above this one, the highest first. */
  readonly crumbs?: readonly Crumb[]
  /** Beside the title, usually a `StatusBadge`. */
  readonly status?: ReactNode
  /** One sentence below the title. */
  readonly description?: ReactNode
  /** The primary action last. */
  readonly actions?: ReactNode
  /** `Menu.Item`s for rare actions. */
  readonly menu?: ReactNode
  readonly children: ReactNode
}) => {
  const t = useTexts('ui.screen')
  const { screen, header } = useHeaderHeight()
  useEffect(() => {
    document.title = `${title} · Zoetrope`
  }, [title])
  return (
    <div className="screen" ref={screen}>
      <header className="screen-header" ref={header}>
        <div className="screen-heading">
          {crumbs.length > 0 && (
            <nav className="screen-crumbs" aria-label={t('breadcrumb')}>
              {crumbs.map(({ label, to }) => (
                <span key={to}>
                  <Link to={to}>{label}</Link>
                  <IconChevronRight size={14} aria-hidden />
                </span>
              ))}
            </nav>
          )}
          <div className="screen-title">
            {heading || (
              <Title order={1} size="h2" title={title}>
                {title}
              </Title>
            )}
            {status}
          </div>
        </div>
        <div className="screen-actions">
          {actions}
          {menu != null && menu !== false && (
            <LazyMenu
              render={(props) => (
                <ActionIcon
                  className="screen-menu"
                  variant="default"
                  size="input-sm"
                  aria-label={t('more')}
                  {...props}
                >
                  <IconDots size={18} aria-hidden />
                </ActionIcon>
              )}
            >
              {menu}
            </LazyMenu>
          )}
        </div>
      </header>
      {description != null && (
        <Text c="dimmed" maw={760} mt={-8}>
          {description}
        </Text>
      )}
      {children}
    </div>
  )
}
