import './design.css'
import { Button, Menu } from '@mantine/core'
import { Screen } from '../ui/screen.tsx'
import { SettingsLayout } from '../ui/layout/settings-layout.tsx'
import { StatusBadge } from '../ui/status-badge.tsx'
import { Controls, Feedback, States, Statuses } from './components-parts.tsx'
import { TablePart } from './table-part.tsx'
import { Colours, Shapes, Type } from './tokens-parts.tsx'

/** All tokens and components, for maintainers and for visual tests. Not translated, and not in the navigation. */
export const DesignScreen = () => (
  <Screen
    title="Design system"
    crumbs={[{ label: 'Home', to: '/' }]}
    status={<StatusBadge tone="ok">Stable</StatusBadge>}
    description="Tokens are in ui/tokens.css and shell/theme.ts, components in ui. Take them from there; do not copy values."
    actions={<Button>Primary action</Button>}
    menu={<Menu.Item>Rare action</Menu.Item>}
  >
    <SettingsLayout
      parts={[
        { id: 'type', title: 'Type', description: 'Inter, 14 px, tabular figures.', content: <Type /> },
        {
          id: 'colour',
          title: 'Colour',
          description: 'One accent, neutral surfaces, six tones.',
          content: <Colours />,
        },
        { id: 'shape', title: 'Shape', description: 'Radius, elevation and spacing.', content: <Shapes /> },
        { id: 'controls', title: 'Controls', content: <Controls /> },
        { id: 'status', title: 'Status and time', content: <Statuses /> },
        {
          id: 'table',
          title: 'Table',
          description: 'Arrows move, Enter opens, x selects.',
          content: <TablePart />,
        },
        { id: 'states', title: 'Empty and failed', content: <States /> },
        { id: 'feedback', title: 'Drawer, toasts, save bar', content: <Feedback /> },
      ]}
    />
  </Screen>
)
