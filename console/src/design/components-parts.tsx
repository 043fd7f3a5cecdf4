import {
  ActionIcon,
  Alert,
  Button,
  Checkbox,
  Group,
  PasswordInput,
  Progress,
  SegmentedControl,
  Select,
  SimpleGrid,
  Switch,
  Text,
  TextInput,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus, IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { CopyField } from '../ui/copy-field.tsx'
import { DetailDrawer } from '../ui/detail-drawer.tsx'
import { EmptyState, statePictures } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { RelativeTime } from '../ui/relative-time.tsx'
import { SaveBar } from '../ui/forms/save-bar.tsx'
import { StatusBadge, tones } from '../ui/status-badge.tsx'
import { useToasts } from '../ui/toasts.tsx'

export const Controls = () => (
  <>
    <Group>
      <Button leftSection={<IconUpload size={16} aria-hidden />}>Primary</Button>
      <Button variant="default">Secondary</Button>
      <Button variant="subtle">Quiet</Button>
      <Button color="red">Delete</Button>
      <Button disabled>Disabled</Button>
      <Button loading>Loading</Button>
      <Button size="xs" variant="default">
        Small
      </Button>
      <ActionIcon variant="default" size="input-sm" aria-label="Add">
        <IconPlus size={16} aria-hidden />
      </ActionIcon>
    </Group>
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <TextInput label="Text" description="One sentence of help." placeholder="Placeholder" />
      <TextInput label="With an error" defaultValue="wrong" error="must be an e-mail address" />
      <Select label="Choice" data={['One', 'Two']} defaultValue="One" />
      <PasswordInput label="Password" defaultValue="secret" />
      <CopyField label="ID" value="4711" />
      <TextInput label="Disabled" disabled defaultValue="fixed" />
    </SimpleGrid>
    <Group>
      <Checkbox label="Checkbox" defaultChecked />
      <Switch label="Switch" defaultChecked />
      <SegmentedControl data={['List', 'Grid']} />
    </Group>
    <Progress value={60} aria-label="Progress" />
    <Alert color="yellow">A notice inside of a page.</Alert>
  </>
)

/** A fixed date, so that pictures of this page stay equal. */
const longAgo = '2024-05-17T09:30:00.000Z'

export const Statuses = () => (
  <>
    <Group gap="xl">
      {tones.map((tone) => (
        <StatusBadge key={tone} tone={tone}>
          {tone}
        </StatusBadge>
      ))}
    </Group>
    <Text size="sm">
      Created <RelativeTime instant={longAgo} />, never <RelativeTime instant={null} />
    </Text>
  </>
)

export const States = () => (
  <SimpleGrid cols={{ base: 1, sm: 2 }}>
    {statePictures.map((picture) => (
      <EmptyState
        key={picture}
        picture={picture}
        title={`Nothing here: ${picture}`}
        action={<Button>Add one</Button>}
      >
        One sentence says what belongs here.
      </EmptyState>
    ))}
    <ErrorState error={new Error('The server is unreachable.')} onRetry={() => {}} />
  </SimpleGrid>
)

export const Feedback = () => {
  const [isOpen, { open, close }] = useDisclosure()
  const [isDirty, setIsDirty] = useState(false)
  const toasts = useToasts()
  return (
    <>
      <Group>
        <Button variant="default" onClick={open}>
          Open drawer
        </Button>
        <Button variant="default" onClick={() => toasts.done('Saved.')}>
          Toast
        </Button>
        <Button variant="default" onClick={() => toasts.undoable('1 file deleted.', async () => {})}>
          Toast with undo
        </Button>
        <Button variant="default" onClick={() => toasts.failed(new Error('It failed.'))}>
          Error toast
        </Button>
        <Button variant="default" onClick={() => setIsDirty(true)}>
          Change something
        </Button>
      </Group>
      <DetailDrawer
        isOpen={isOpen}
        onClose={close}
        title="Details of an entry"
        status={<StatusBadge tone="ok">Delivered</StatusBadge>}
        onPrevious={null}
        onNext={() => {}}
      >
        <Text>Content</Text>
      </DetailDrawer>
      <SaveBar
        isDirty={isDirty}
        isSaving={false}
        onSave={() => setIsDirty(false)}
        onDiscard={() => setIsDirty(false)}
      />
    </>
  )
}
