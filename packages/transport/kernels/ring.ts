// Kernels of the message ring: one call from JavaScript costs less than a single `Atomics` operation
// there, and a whole message can be written in it.
import { copy } from './move'

/** The value of a word that other threads write, acquired. */
export function acquire(word: usize): i32 {
  return atomic.load<i32>(word)
}

/**
 * Looks up to `looks` times whether another thread has brought the counter at `word` to `goal` or beyond;
 * counters wrap around.
 *
 * @returns whether it has
 */
export function await_count(word: usize, goal: i32, looks: i32): bool {
  for (let look = 0; look < looks; look++) if (atomic.load<i32>(word) - goal >= 0) return true
  return false
}

/** Stores a word that other threads read: after everything before it, before everything after it. */
export function publish_word(word: usize, value: i32): void {
  atomic.store<i32>(word, value)
}

/**
 * Copies a cache line to `line`, where another thread polls the first word, which becomes `word`: all at
 * once and that word last, since a look in between would take the line back.
 */
export function publish_line(line: usize, draft: usize, word: i32): void {
  const words1 = load<i32>(draft, 4)
  const words2 = load<i64>(draft, 8)
  const words4 = v128.load(draft, 16)
  const words8 = v128.load(draft, 32)
  const words12 = v128.load(draft, 48)
  store<i32>(line, words1, 4)
  store<i64>(line, words2, 8)
  v128.store(line, words4, 16)
  v128.store(line, words8, 32)
  v128.store(line, words12, 48)
  // The release: whoever acquires it sees the line, and all that was written before.
  atomic.store<i32>(line, word)
}

/**
 * Writes a message to the line at `line` and makes it visible: seven words behind the head, `bytes`
 * bytes of payload from `payload` (0: written already, or none), the 0 that ends the messages at
 * `terminator` (0: it is there), and the head last. Then the 0 that will end the next message, at
 * `later` (0: nowhere).
 *
 * The line that the receiver polls is touched last and at once: a look in between would take it back,
 * and every such way there and back costs as much as the message. For the same reason the next
 * terminator is written when this message is under way already: nobody waits for its line.
 *
 * @returns the word at `mark`, loaded after the head was stored
 */
export function publish(
  line: usize,
  terminator: usize,
  later: usize,
  mark: usize,
  head: i32,
  word1: i32,
  word2: i32,
  word3: i32,
  word4: i32,
  word5: i32,
  word6: i32,
  word7: i32,
  payload: usize,
  bytes: usize,
): i32 {
  if (terminator != 0) store<i32>(terminator, 0)
  if (payload != 0) copy(line + 32, payload, bytes)
  store<i32>(line, word1, 4)
  store<i32>(line, word2, 8)
  store<i32>(line, word3, 12)
  store<i32>(line, word4, 16)
  store<i32>(line, word5, 20)
  store<i32>(line, word6, 24)
  store<i32>(line, word7, 28)
  // The release: whoever acquires this head sees header, payload and terminator.
  atomic.store<i32>(line, head)
  // After the store, in the one order of all atomics: the doorbell's argument needs it.
  const marked = atomic.load<i32>(mark)
  if (later != 0) store<i32>(later, 0)
  return marked
}
