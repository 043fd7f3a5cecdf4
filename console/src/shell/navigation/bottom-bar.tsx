import { UnstyledButton } from '@mantine/core'
import {
  IconBroadcast,
  IconFolders,
  IconHome,
  IconMenu2,
  IconMovie,
  IconSearch,
  IconX,
  type Icon,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { allProjects } from '../../projects/all-projects.ts'
import { useCurrentProjectId } from '../current-project.ts'
import { useTexts } from '../texts.ts'

const Item = ({
  to,
  icon: Picture,
  label,
  exact = false,
}: {
  readonly to: string
  readonly icon: Icon
  readonly label: string
  readonly exact?: boolean
}) => (
  <Link
    to={to}
    className="bottom-bar-item"
    activeOptions={{ exact, includeSearch: false }}
    activeProps={{ 'data-active': true, 'aria-current': 'page' }}
  >
    <Picture size={22} stroke={1.75} aria-hidden />
    {label}
  </Link>
)

/** Navigation at the bottom of the window, on phones and small tablets. */
export const BottomBar = ({
  isMenuOpen,
  onMenu,
  onSearch,
}: {
  readonly isMenuOpen: boolean
  readonly onMenu: () => void
  readonly onSearch: () => void
}) => {
  const t = useTexts('shell.navigation')
  const layout = useTexts('shell.layout')
  const projectId = useCurrentProjectId()
  const { isPending } = useQuery(allProjects)
  const MenuIcon = isMenuOpen ? IconX : IconMenu2
  return (
    <nav className="bottom-bar" aria-label={layout('quick')}>
      <Item to="/" icon={IconHome} label={t('start')} exact />
      {projectId === null && isPending ? (
        // Most installations have a project, and its items would move the others.
        <>
          <span className="bottom-bar-item" />
          <span className="bottom-bar-item" />
        </>
      ) : projectId === null ? (
        <Item to="/projects" icon={IconFolders} label={t('projects')} />
      ) : (
        <>
          <Item to={`/projects/${projectId}/files`} icon={IconMovie} label={t('library')} />
          <Item to={`/projects/${projectId}/live`} icon={IconBroadcast} label={t('live')} />
        </>
      )}
      <UnstyledButton className="bottom-bar-item" onClick={onSearch}>
        <IconSearch size={22} stroke={1.75} aria-hidden />
        {layout('search')}
      </UnstyledButton>
      <UnstyledButton className="bottom-bar-item" aria-expanded={isMenuOpen} onClick={onMenu}>
        <MenuIcon size={22} stroke={1.75} aria-hidden />
        {layout('menu')}
      </UnstyledButton>
    </nav>
  )
}
