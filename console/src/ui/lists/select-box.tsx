import './select-box.css'
import { Checkbox, type CheckboxProps } from '@mantine/core'

/** Selects an entry. On phones, the place around the box belongs to it. */
export const SelectBox = ({
  label,
  isSelected,
  onToggle,
  size,
  className = '',
}: {
  readonly label: string
  readonly isSelected: boolean
  readonly onToggle: (withShift: boolean) => void
  readonly size?: CheckboxProps['size']
  readonly className?: string
}) => (
  // oxlint-disable-next-line jsx-a11y/label-has-associated-control -- it contains the control, which has a name
  <label className={`select-box ${className}`}>
    <Checkbox
      {...(size !== undefined && { size })}
      aria-label={label}
      checked={isSelected}
      onChange={() => {}}
      onClick={(event) => onToggle(event.shiftKey)}
    />
  </label>
)
