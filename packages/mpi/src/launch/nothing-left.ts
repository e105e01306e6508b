const waiting = new Set<() => void>()

/**
 * Has `tell` called when nothing can happen in this thread any more: no timer, no file, no message is
 * left to come.
 *
 * @returns takes that back
 */
export function whenNothingIsLeft(tell: () => void): () => void {
  if (waiting.size === 0) process.on('beforeExit', tellAll)
  waiting.add(tell)
  return () => {
    waiting.delete(tell)
    if (waiting.size === 0) process.off('beforeExit', tellAll)
  }
}

function tellAll(): void {
  for (const tell of [...waiting]) tell()
}
