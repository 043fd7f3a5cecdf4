import { systemPaths } from './bubblewrap.ts'
import type { Confinement } from './confinement.ts'

/**
 * Perl is part of every Debian and Ubuntu, also of their container images, and can make system calls. The script restricts itself by
 * Landlock (linux/landlock.h) and the seccomp filter, and then becomes the program. Arguments: descriptor of the filter, `r:path` or `w:path` …, `--`,
 * program and its arguments.
 */
const launcher = String.raw`
use strict;
my ($filter, @rest) = @ARGV;
my ($create, $add, $restrict) = (444, 445, 446);
my ($read, $execute, $readFolder) = (1 << 2, 1 << 0, 1 << 3);
my $abi = syscall($create, 0, 0, 1);
die "landlock: not available\n" if $abi < 1;
my $files = (1 << 13) - 1;
$files |= 1 << 13 if $abi >= 2;
$files |= 1 << 14 if $abi >= 3;
my $ofFile = $execute | (1 << 1) | $read | ($abi >= 3 ? 1 << 14 : 0);
my $attributes = pack('Q', $files);
my $rules = syscall($create, $attributes, 8, 0);
die "landlock: $!\n" if $rules < 0;
while (defined(my $word = shift @rest)) {
  last if $word eq '--';
  my ($kind, $path) = split /:/, $word, 2;
  sysopen(my $handle, $path, 010000000) or next;
  my $rights = $kind eq 'w' ? $files & ~(1 << 6 | 1 << 9 | 1 << 10 | 1 << 11) : $read | $execute | $readFolder;
  $rights &= $ofFile unless -d $path;
  my $rule = pack('Ql', $rights, fileno($handle));
  syscall($add, $rules, 1, $rule, 0) == 0 or die "landlock: $path: $!\n";
}
my $prctl = $ENV{PRCTL} + 0;
delete $ENV{PRCTL};
open(my $bytes, '<&=', $filter) or die "seccomp: $!\n";
binmode $bytes;
my $program = do { local $/; <$bytes> };
close $bytes;
syscall($prctl, 38, 1, 0, 0, 0) == 0 or die "no_new_privs: $!\n";
syscall($restrict, $rules, 0) == 0 or die "landlock: $!\n";
my $pointer = pack('S x![Q] P', length($program) / 8, $program);
syscall($prctl, 22, 2, $pointer) == 0 or die "seccomp: $!\n";
exec { $rest[0] } @rest or die "exec: $!\n";
`

const prctlNumbers = { x64: '157', arm64: '167' } as const

export const landlockEnvironment = (architecture: keyof typeof prctlNumbers): NodeJS.ProcessEnv => ({
  PRCTL: prctlNumbers[architecture],
})

/** Returns the command line before the program. Set `landlockEnvironment` for the process. */
export const landlockWords = (
  { readable, writable }: Confinement,
  { filterDescriptor }: { readonly filterDescriptor: number },
): string[] => [
  ...['perl', '-e', launcher, String(filterDescriptor)],
  ...[...systemPaths, '/dev/urandom', ...readable].map((path) => `r:${path}`),
  ...['/dev/null', ...writable].map((path) => `w:${path}`),
  '--',
]
