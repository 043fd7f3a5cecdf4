import './select-box.css'

/**
 * Selects an entry. Looks like the `Checkbox` of Mantine, which takes ten times as long: a list has one for each
 * row. On phones, the place around the box belongs to it.
 */
export const SelectBox = ({
  label,
  isSelected,
  onToggle,
  size = 'sm',
  className = '',
}: {
  readonly label: string
  readonly isSelected: boolean
  readonly onToggle: (withShift: boolean) => void
  readonly size?: 'xs' | 'sm'
  readonly className?: string
}) => (
  // oxlint-disable-next-line jsx-a11y/label-has-associated-control -- it contains the control, which has a name
  <label className={`select-box ${className}`}>
    <input
      type="checkbox"
      data-size={size}
      aria-label={label}
      checked={isSelected}
      onChange={() => {}}
      onClick={(event) => onToggle(event.shiftKey)}
    />
  </label>
)
