import type { Topology } from '../topology/topology.js'
import { connectFound, type FoundNode } from './discovered-fabric.js'
import { plainGuid } from './guid.js'
import { ImportError, shortened } from './import-error.js'
import { gigabitsIn } from './link-speed.js'

const END = String.raw`(CA|SW|RT)\s+(\d+)\s+(\d+)\s+0x([0-9a-f]+)`
const CABLE = new RegExp(
  String.raw`^${END}\s+(\d+x\s+\S+)\s+-\s+${END}\s+\(\s*'(.*)'\s+-\s+'(.*)'\s*\)\s*$`,
  'i',
)
/** A port without a peer, or whose peer does not answer; older versions write names without quotes. */
const OPEN = new RegExp(String.raw`^${END}\s+\d+x\s+\S+\s+(?!-\s)`, 'i')

export function isPortList(text: string): boolean {
  const first = text.split('\n').find((line) => line.trim() !== '' && !line.startsWith('#'))
  return first !== undefined && /^(CA|SW|RT)\s+\d+\s+\d+\s+0x/.test(first.trim())
}

/**
 * What `ibnetdiscover -p` prints, a line for each port:
 *
 * ```
 *   SW  1719 10 0x7cfe9003009ce5b0 4x EDR - CA   134  1 0x7cfe9003003b4bde ( 'leaf1' - 'node1 HCA-1' )
 *   SW  1719 37 0x7cfe9003009ce5b0 4x ???                                    'leaf1'
 * ```
 *
 * Numbers are local identifier and port. The guid of an adapter is that of its port.
 *
 * @throws ImportError with the line
 */
export function parsePortList(text: string, file: string, adapters?: string): Topology {
  const nodes = new Map<string, FoundNode>()
  const nodeOf = (line: number, kind: string, guid: string, description: string, lid: string) => {
    const id = `${kind.toUpperCase()} 0x${guid}`
    let node = nodes.get(id)
    if (node === undefined) {
      const found = kind.toUpperCase()
      node = {
        id,
        kind: found === 'CA' ? 'host' : found === 'SW' ? 'switch' : 'router',
        line,
        description,
        guid: plainGuid(guid),
        localIdentifier: Number(lid),
        ports: new Map(),
      }
      nodes.set(id, node)
    }
    return node
  }
  text.split(/\r?\n/).forEach((raw, index) => {
    const line = index + 1
    const content = raw.trim()
    if (content === '' || content.startsWith('#') || OPEN.test(content)) return
    const match = CABLE.exec(content)
    if (match === null) {
      throw new ImportError(file, line, `no port of a list of ports: ${shortened(content)}`)
    }
    const [, kind, lid, port, guid, speed, peerKind, peerLid, peerPort, peerGuid, name, peerName] =
      match as unknown as string[]
    const node = nodeOf(line, kind!, guid!, name!, lid!)
    const peer = nodeOf(line, peerKind!, peerGuid!, peerName!, peerLid!)
    const before = node.ports.get(Number(port))
    if (before !== undefined && before.line !== 0) {
      throw new ImportError(
        file,
        line,
        `port ${port} of '${node.description}' is on line ${before.line} already`,
      )
    }
    node.ports.set(Number(port), {
      line,
      port: Number(port),
      peer: peer.id,
      peerPort: Number(peerPort),
      gigabits: gigabitsIn(speed!),
      peerIdentifier: Number(peerLid),
    })
  })
  return connectFound(file, nodes, adapters)
}
