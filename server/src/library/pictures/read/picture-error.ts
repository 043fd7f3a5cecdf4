import { issueText, type Issue } from '../../../platform/base/problem.ts'

export class PictureError extends Error {
  override readonly name = 'PictureError'
  readonly issue: Issue

  constructor(issue: Issue) {
    super(issueText(issue))
    this.issue = issue
  }
}
