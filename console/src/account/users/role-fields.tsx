import { ActionIcon, Button, Fieldset, Group, Select, Stack, Text, type SelectProps } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { isProjectRole, isRole, projectRoles, roles, type Role } from '@zoetrope/vocabulary'
import { allProjects } from '../../projects/all-projects.ts'
import type { Session } from '../../shell/session-record.ts'
import { useTexts } from '../../shell/texts.ts'

export type ProjectRole = Session['User']['ProjectRoles'][number]

export const RoleSelect = ({
  value,
  onChange,
  ...rest
}: Omit<SelectProps, 'value' | 'onChange' | 'data'> & {
  readonly value: Role
  readonly onChange: (role: Role) => void
}) => {
  const t = useTexts('account.roles')
  return (
    <Select
      label={t('role')}
      description={t(`may_${value}`)}
      allowDeselect={false}
      {...rest}
      value={value}
      data={roles.map((role) => ({ value: role, label: t(role) }))}
      onChange={(role) => isRole(role) && onChange(role)}
    />
  )
}

export const ProjectRolesField = ({
  value,
  onChange,
}: {
  readonly value: readonly ProjectRole[]
  readonly onChange: (roles: ProjectRole[]) => void
}) => {
  const t = useTexts('account.roles')
  const { data: projects = [] } = useQuery(allProjects)
  const nameOf = (id: number): string => projects.find(({ Id }) => Id === id)?.Name ?? String(id)
  const free = projects.filter(({ Id }) => !value.some(({ ProjectId }) => ProjectId === Id))
  const change = (index: number, changed: Partial<ProjectRole>): void =>
    onChange(value.map((one, place) => (place === index ? { ...one, ...changed } : one)))
  const add = (): void => {
    const next = free[0]
    if (next !== undefined) onChange([...value, { ProjectId: next.Id, Role: 'Reader' }])
  }
  return (
    <Fieldset legend={t('inProjects')}>
      <Stack gap="xs">
        <Text size="sm" c="dimmed">
          {t('inProjectsExplained')}
        </Text>
        {value.map(({ ProjectId, Role: role }, index) => (
          <Group key={ProjectId} wrap="nowrap" align="end" gap="xs">
            <Select
              label={t('project')}
              searchable
              allowDeselect={false}
              value={String(ProjectId)}
              data={[ProjectId, ...free.map(({ Id }) => Id)].map((id) => ({
                value: String(id),
                label: nameOf(id),
              }))}
              onChange={(id) => id !== null && change(index, { ProjectId: Number(id) })}
            />
            <Select
              label={t('roleThere')}
              allowDeselect={false}
              value={role}
              data={projectRoles.map((one) => ({ value: one, label: t(one) }))}
              onChange={(Role) => isProjectRole(Role) && change(index, { Role })}
            />
            <ActionIcon
              variant="default"
              size="input-sm"
              aria-label={t('remove', { name: nameOf(ProjectId) })}
              onClick={() => onChange(value.filter((_one, place) => place !== index))}
            >
              <IconX size={16} aria-hidden />
            </ActionIcon>
          </Group>
        ))}
        <Group>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            disabled={free.length === 0}
            onClick={add}
          >
            {t('add')}
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  )
}
