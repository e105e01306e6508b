import { describe, expect, it, test } from 'vitest'
import { checkBounds } from '../../src/coll/plan/bounds.js'
import {
  defineCollective,
  type Algorithm,
  type Emit,
  type Environment,
} from '../../src/coll/plan/algorithm.js'
import { HIGHER, IN, OUT, SHARED, SLOT, TMP } from '../../src/coll/plan/buffer.js'
import { blocksOf, collectives, type CollectiveName } from '../../src/coll/plan/collective.js'
import { Schedule } from '../../src/coll/plan/schedule.js'
import { collectiveAlgorithms } from '../../src/coll/select/registry.js'

/** A card around what one round emits. */
function emitting(
  collective: CollectiveName,
  round: (emit: Emit, env: Environment) => void,
  rest: Partial<Algorithm> = {},
): Algorithm {
  return defineCollective({
    collective,
    name: 'mine',
    title: 'mine',
    source: 'this test',
    use: 'never',
    cost: 'none',
    rounds: () => 1,
    volume: () => 0,
    round: (_, env, emit) => round(emit, env),
    ...rest,
  })
}

function check(algorithm: Algorithm, env: Partial<Environment> = {}, inPlace = false): void {
  const { input, output } = collectives[algorithm.collective]
  const vector = input === 'vector' || output === 'vector'
  const size = env.size ?? 4
  const blocks = vector ? blocksOf('vector', size, 3) : size
  checkBounds(
    new Schedule(
      algorithm,
      { size, rank: 1, root: 0, blocks, radix: 2, slots: false, ...env },
      inPlace,
    ),
  )
}

describe('checkBounds', () => {
  it.each(collectiveAlgorithms.map((one) => [`${one.collective} ${one.name}`, one] as const))(
    'lets %s pass',
    (_, algorithm) => {
      const { rooted } = collectives[algorithm.collective]
      for (let size = 1; size <= 9; size++) {
        if (algorithm.needs.powerOfTwo && (size & (size - 1)) !== 0) continue
        if (algorithm.needs.evenSize && size % 2 !== 0) continue
        for (let root = 0; root < (rooted ? size : 1); root++) {
          for (let rank = 0; rank < size; rank++) {
            for (const inPlace of [false, true]) {
              for (const slots of algorithm.needs.sharedMemory ? [true, false] : [false]) {
                check(algorithm, { size, rank, root, slots }, inPlace)
              }
            }
          }
        }
      }
    },
  )

  const shared = { needs: { sharedMemory: true } } as const
  const wrong: readonly [string, Algorithm, RegExp][] = [
    [
      'a rank too high',
      emitting('bcast', (emit, { size }) => emit.send(size, OUT, 0)),
      /^algorithm `mine` of bcast is wrong: `send` of rank 1 names rank 4 of 4\. checkAlgorithm/,
    ],
    ['a rank too low', emitting('bcast', (emit) => emit.receive(-1, OUT, 0)), /names rank -1 of 4/],
    ['a signal to nobody', emitting('barrier', (emit) => emit.signal(4)), /`signal`.* rank 4 of 4/],
    ['no scratch', emitting('scan', (emit) => emit.copy(IN, 0, TMP, 0)), /block 0 of TMP.* has 0/],
    [
      'a block before the first',
      emitting('scan', (emit) => emit.receive(0, TMP, -1, 2), { scratch: () => [0, 0] }),
      /uses blocks -1 to 0 of TMP, which has 2/,
    ],
    [
      'the input of the root',
      emitting('scatter', (emit) => emit.send(0, IN, 0)),
      /IN, which has 0/,
    ],
    [
      'its input as output',
      emitting('scan', (emit) => emit.copy(OUT, 0, IN, 0)),
      /`copy`.*writes IN/,
    ],
    [
      'a reduction where there is none',
      emitting('allgather', (emit) => emit.receiveReduce(0, OUT, 0, 1, HIGHER)),
      /`receiveReduce`.* has nothing to reduce by/,
    ],
    [
      'the memory of others unasked',
      emitting('allgather', (emit) => emit.publish(0)),
      /`publish`.* needs: \{ sharedMemory: true \}/,
    ],
    [
      'a slot without slots',
      emitting('scan', (emit) => emit.copy(IN, 0, SLOT, 0)),
      /uses SLOT where/,
    ],
    [
      'a shared room without slots',
      emitting('scan', (emit) => emit.get(0, SHARED, 0, OUT, 0), shared),
      /uses SHARED where env\.slots is false/,
    ],
    [
      'scratch of another rank',
      emitting('scan', (emit) => emit.get(0, TMP, 0, OUT, 0), { ...shared, scratch: () => [0] }),
      /reaches for TMP of rank 0/,
    ],
    [
      'a block that another rank has not',
      emitting('gather', (emit) => emit.get(2, OUT, 0, TMP, 0), { ...shared, scratch: () => [0] }),
      /uses block 0 of OUT, which has 0/,
    ],
    [
      'a block that another rank has, and more',
      emitting('gather', (emit) => emit.put(0, IN, 0, OUT, 4), shared),
      /uses block 4 of OUT, which has 4/,
    ],
    [
      'a stage too many',
      emitting('scan', (emit) => emit.publish(255), shared),
      /names stage 255 of 254/,
    ],
  ]
  it.each(wrong)('refuses %s', (_, algorithm, message) => {
    expect(() => check(algorithm)).toThrow(message)
  })
})

test('defineCollective refuses a card that cannot be used', () => {
  const card = emitting('bcast', () => {})
  expect(() => defineCollective({ ...card, name: 'My Ring' })).toThrow(/kebab-case, not `My Ring`/)
  const unknown = { ...card, collective: 'alreduce' as CollectiveName }
  expect(() => defineCollective(unknown)).toThrow(/`alreduce` is no collective: there are barrier/)
  const { volume: _, ...rest } = card
  expect(() => defineCollective(rest as Algorithm)).toThrow(/mine lacks its function `volume`/)
})
