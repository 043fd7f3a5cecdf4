/** A result of a remote worker is not what the plan requires. The message is for operators. */
export class RefusedResult extends Error {
  /** Whether only a faulty worker sends such a result; otherwise the source may be the reason. */
  readonly isFaultOfWorker: boolean

  constructor(message: string, { isFaultOfWorker = true }: { readonly isFaultOfWorker?: boolean } = {}) {
    super(message)
    this.name = 'RefusedResult'
    this.isFaultOfWorker = isFaultOfWorker
  }
}
