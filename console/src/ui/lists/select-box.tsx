import './select-box.css'

/**
 * Selects an entry. Looks like the `Checkbox` of Mantine, which takes ten times as long, as an input also does in
 * React: a list has one for each row. On phones, the place around the box belongs to it.
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
  <button
    type="button"
    role="checkbox"
    className={`select-box ${className}`}
    data-size={size}
    aria-label={label}
    aria-checked={isSelected}
    onClick={(event) => onToggle(event.shiftKey)}
  />
)
