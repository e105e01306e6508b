/** One sentence on a full JavaScript heap. `rank` is undefined when ranks share the thread, or it is unknown. */
export function heapText(rank: number | undefined): string {
  const who = rank === undefined ? 'a rank' : `rank ${rank}`
  return (
    `${who} ran out of JavaScript heap; the other ranks were ended. ` +
    'Give each rank more with --heap 4GiB, or keep large data in memory from alloc(), which is no heap'
  )
}
