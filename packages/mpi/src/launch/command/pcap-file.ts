import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { ArgumentError } from '../../errors/index.js'

/** Why a capture cannot be written to `file`, as far as that can be seen without touching it. */
export function problemWithPcap(file: string): string | undefined {
  if (file === '') return 'it has no name'
  const path = resolve(file)
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return 'it is a folder'
  const folder = statSync(dirname(path), { throwIfNoEntry: false })
  return folder?.isDirectory() ? undefined : 'its folder does not exist'
}

/** The same for an option of a call. @throws ArgumentError */
export function checkPcap(pcap: unknown): void {
  if (pcap === undefined) return
  const problem = typeof pcap === 'string' ? problemWithPcap(pcap) : 'not a name'
  if (problem === undefined) return
  const expected = `a file that can be written: ${problem}`
  throw new ArgumentError({ argument: 'pcap', seen: pcap, expected })
}
