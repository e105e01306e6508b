import { CHOICE_INDEX_WORD, CHOICE_STATE_WORDS, type WorldMemory } from '@commworld/transport'

/** The state of a world's choice stream, where all its threads find it. */
export function choiceState(memory: WorldMemory): Int32Array {
  const first = CHOICE_INDEX_WORD >> 2
  return memory.i32.subarray(first, first + CHOICE_STATE_WORDS)
}
