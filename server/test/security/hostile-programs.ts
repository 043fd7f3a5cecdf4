import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  attackProgram,
  attackResults,
  interpreter,
  type AttackAims,
} from '../../../packages/ffmpeg/test-support/hostile-program.ts'
import { findProgram } from '../support/find-program.ts'

/** Inherited by the hostile program, so that its report leaves the sandbox. */
const reportDescriptor = 9

type Aims = Omit<AttackAims, 'report' | 'prefix'>

/** As a shell reports SIGSEGV. */
const crash = 'exit 139'

/** Programs in a folder that comes first in the PATH of the product. */
export interface HostilePrograms {
  /** Call it when the product runs: the programs attack its processes. */
  readonly takePlaces: (aims: Aims) => Promise<void>
  /** A box that activates the hostile program when it reads a file that contains it. */
  readonly trigger: (program: 'ffprobe' | 'ffmpeg') => Buffer
  readonly readReport: (program: 'ffprobe' | 'ffmpeg') => Promise<Record<string, string>>
}

const markOf = (program: string): string => `take the place of ${program}`

/** Puts launchers in the folder that also show the interpreter of the attacker to the sandbox. */
export const placeHostilePrograms = async (folder: string): Promise<HostilePrograms> => {
  const put = async (name: string, text: string): Promise<void> => {
    await writeFile(join(folder, name), text)
    await chmod(join(folder, name), 0o755)
  }
  const report = join(folder, 'report')
  const end = `"$@" ${reportDescriptor}>>'${report}'\n`
  const bound = interpreter.map((path) => `--ro-bind-try ${path} ${path}`).join(' ')
  await put('bwrap', `#!/bin/sh\nexec ${await findProgram('bwrap')} ${bound} ${end}`)
  const readable = interpreter.map((path) => `r:${path}`).join(' ')
  const perl = await findProgram('perl')
  await put('perl', `#!/bin/sh\na=$1 b=$2 c=$3; shift 3\nexec ${perl} "$a" "$b" "$c" ${readable} ${end}`)

  const hostile = async (name: string, aims: Aims): Promise<string> => `#!${perl}
use strict;
my ($input) = map { $ARGV[$_ + 1] =~ s/^file://r } grep { $ARGV[$_] eq '-i' } 0 .. $#ARGV;
my $bytes = '';
if (defined $input && open(my $file, '<:raw', $input)) { local $/; $bytes = <$file> }
my $real = '${await findProgram(name)}';
exec { $real } $real, @ARGV unless index($bytes, '${markOf(name)}') >= 0;
${attackProgram({ ...aims, report: reportDescriptor, prefix: `${name} ` })}
${crash};
`
  return {
    takePlaces: async (aims) => {
      for (const name of ['ffprobe', 'ffmpeg']) await put(name, await hostile(name, aims))
    },
    trigger: (program) => {
      const mark = Buffer.from(`....free${markOf(program)}`)
      mark.writeUInt32BE(mark.length)
      return mark
    },
    readReport: async (program) => {
      const lines = (await readFile(report, 'utf8')).split('\n')
      const own = lines.filter((line) => line.startsWith(`${program} `))
      return attackResults(own.map((line) => line.slice(program.length + 1)).join('\n'))
    },
  }
}
