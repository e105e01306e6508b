import { NETWORK_FAULTS, type NetworkFault } from '@commworld/transport'
import { UsageError } from './usage-error.js'

/** What `--faults loss,crash` asks for. Throws `UsageError`. */
export function parseFaults(text: string): readonly NetworkFault[] {
  const isKnown = (word: string): word is NetworkFault =>
    NETWORK_FAULTS.some((kind) => kind === word)
  return text.split(',').map((word) => {
    if (isKnown(word)) return word
    throw new UsageError(`--faults takes some of ${NETWORK_FAULTS.join(',')}; not '${word}'`)
  })
}
