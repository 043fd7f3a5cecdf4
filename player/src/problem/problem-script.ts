import { startPage } from '../start-page.ts'
import { openProblemPage } from './problem-page.ts'

startPage('problem', openProblemPage)
