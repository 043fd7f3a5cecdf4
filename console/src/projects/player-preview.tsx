import type { Project } from '@zoetrope/sdk'
import { isLightColor } from '@mantine/core'
import { IconPlayerPlayFilled } from '@tabler/icons-react'
import type { CSSProperties } from 'react'
import { useTexts } from '../shell/texts.ts'
import { ownUrl } from '../ui/embed/own-url.ts'

const ownColor = '#2f6fdd'

/** Preview of the player with the colour in the form and the stored logo. */
export const PlayerPreview = ({
  logo,
  color,
}: {
  readonly logo: Project['PlayerTheme']['Logo']
  readonly color: string
}) => {
  const t = useTexts('projects.preview')
  const style = {
    '--preview-color': color === '' ? ownColor : color,
    // Same rule as in the player.
    '--preview-ink': isLightColor(color === '' ? ownColor : color) ? '#000' : '#fff',
  } as CSSProperties
  return (
    <div className="player-preview" role="img" aria-label={t('preview')} style={style}>
      <span className="player-preview-play">
        <IconPlayerPlayFilled size={22} aria-hidden />
      </span>
      <span className="player-preview-bar" />
      {logo !== null && <img src={ownUrl(logo.URI)} alt="" data-position={logo.Position} />}
    </div>
  )
}
