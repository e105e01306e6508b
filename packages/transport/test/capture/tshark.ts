import { spawnSync } from 'node:child_process'

const found = spawnSync('tshark', ['--version']).status === 0

/** Whether Wireshark's command is here; says so once where it is not. */
export const hasTshark = ((): boolean => {
  if (!found) console.log('tshark is not installed (apt-get install tshark): its tests are skipped')
  return found
})()

/** One line a packet, the fields asked for between tabs. */
export function tshark(file: string, fields: readonly string[], filter = ''): string[][] {
  const { status, stdout, stderr } = spawnSync(
    'tshark',
    [
      ...['-r', file, '-T', 'fields', ...fields.flatMap((field) => ['-e', field]), '-Y', filter],
      // Guesses at what a message is: RPC over RDMA calls a SEND malformed that is shorter than its
      // header, and whatever begins like an Ethernet type and two zeros is taken for such a frame.
      ...['rpcrdma_infiniband', 'eth_over_ib'].flatMap((guess) => ['--disable-heuristic', guess]),
    ],
    { encoding: 'utf8', maxBuffer: 1 << 28 },
  )
  if (status !== 0) throw new Error(stderr)
  const lines = stdout.split('\n').filter((line) => line !== '')
  return lines.map((line) => line.split('\t'))
}

/** Packets that Wireshark finds anything wrong with. */
export function complaints(file: string): string[] {
  const fields = ['frame.number', '_ws.malformed', '_ws.expert.message']
  return tshark(file, fields, '_ws.malformed || _ws.expert').map((words) => words.join(' '))
}
