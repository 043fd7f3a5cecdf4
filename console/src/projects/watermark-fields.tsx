import { Button, FileButton, Group, NumberInput, Select, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useForm } from '@mantine/form'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { NotFoundError } from '@zoetrope/sdk'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useTexts } from '../shell/texts.ts'
import { Confirm } from '../ui/confirm.tsx'
import { ProblemAlert } from '../ui/problem-alert.tsx'

type Watermark = Awaited<ReturnType<typeof zoetrope.projects.getWatermark>>

const positions = ['top-left', 'top-right', 'bottom-left', 'bottom-right'] as const

/** Null = the project has no watermark. */
const readWatermark = async (projectId: number, signal: AbortSignal): Promise<Watermark | null> => {
  try {
    return await zoetrope.projects.getWatermark(projectId, { signal })
  } catch (error) {
    if (error instanceof NotFoundError) return null
    throw error
  }
}

/** Number inputs hold text while the value is incomplete. */
type DrawnForm = Pick<Watermark, 'Position'> & Record<'Opacity' | 'Width', number | string>

const Drawn = ({
  watermark,
  onSave,
  isSaving,
}: {
  readonly watermark: Watermark
  readonly onSave: (changes: Pick<Watermark, 'Position' | 'Opacity' | 'Width'>) => void
  readonly isSaving: boolean
}) => {
  const t = useTexts('projects.watermark')
  const { Position, Opacity, Width } = watermark
  const initialValues: DrawnForm = { Position, Opacity, Width }
  const form = useForm({ initialValues })
  return (
    <form
      onSubmit={form.onSubmit((values) =>
        onSave({ ...values, Opacity: Number(values.Opacity), Width: Number(values.Width) }),
      )}
    >
      <Group align="flex-end">
        <Select
          label={t('position')}
          w={180}
          allowDeselect={false}
          data={positions.map((value) => ({ value, label: t(value) }))}
          {...form.getInputProps('Position')}
        />
        <NumberInput
          label={t('opacity')}
          w={180}
          required
          min={1}
          max={100}
          allowDecimal={false}
          {...form.getInputProps('Opacity')}
        />
        <NumberInput
          label={t('width')}
          w={220}
          required
          min={1}
          max={100}
          allowDecimal={false}
          {...form.getInputProps('Width')}
        />
        <Button type="submit" variant="default" loading={isSaving}>
          {t('save')}
        </Button>
      </Group>
    </form>
  )
}

export const WatermarkFields = ({ projectId }: { readonly projectId: number }) => {
  const t = useTexts('projects.watermark')
  const queryClient = useQueryClient()
  const queryKey = [...queryKeys.project(projectId), 'watermark']
  const [isRemoving, { open, close }] = useDisclosure()
  const watermark = useQuery({ queryKey, queryFn: ({ signal }) => readWatermark(projectId, signal) })
  const save = useMutation({
    mutationFn: (body: Parameters<typeof zoetrope.projects.updateWatermark>[1]) =>
      zoetrope.projects.updateWatermark(projectId, body),
    onSuccess: (saved) => queryClient.setQueryData(queryKey, saved),
  })
  const { data } = watermark
  return (
    <>
      <ProblemAlert error={watermark.error ?? save.error} />
      <Group align="flex-end">
        {data != null && (
          <div className="watermark-picture">
            <img src={data.Picture} alt={t('picture')} />
          </div>
        )}
        <Stack gap="xs">
          <FileButton accept="image/png" onChange={(file) => file !== null && save.mutate(file)}>
            {(props) => (
              <Button {...props} variant="default" loading={save.isPending}>
                {data == null ? t('choose') : t('replace')}
              </Button>
            )}
          </FileButton>
          {data != null && (
            <Button variant="default" onClick={open}>
              {t('remove')}
            </Button>
          )}
        </Stack>
      </Group>
      {data != null && (
        <Drawn key={data.LastUpdateAt} watermark={data} onSave={save.mutate} isSaving={save.isPending} />
      )}
      <Confirm
        isOpen={isRemoving}
        onClose={close}
        title={t('removeTitle')}
        text={t('removeText')}
        action={t('remove')}
        onConfirm={async () => {
          await zoetrope.projects.deleteWatermark(projectId)
          queryClient.setQueryData(queryKey, null)
        }}
      />
    </>
  )
}
