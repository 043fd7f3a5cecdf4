import '../styles/facts.css'

/** A table of labels and values. Leaves out facts that are null. */
export const FactsTable = ({
  label,
  facts,
}: {
  readonly label: string
  readonly facts: readonly (readonly [label: string, value: string | null])[]
}) => (
  <table className="facts" aria-label={label}>
    <tbody>
      {facts.map(
        ([name, value]) =>
          value !== null && (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{value}</td>
            </tr>
          ),
      )}
    </tbody>
  </table>
)
