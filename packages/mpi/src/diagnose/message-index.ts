/** Where in a trace each message was sent, or received: by sender, receiver and number. */
export class MessageIndex {
  readonly #bySender = new Map<number, Map<number, Map<number, number>>>()

  add(sender: number, receiver: number, number: number, index: number): void {
    const byReceiver = getOrPut(
      this.#bySender,
      sender,
      () => new Map<number, Map<number, number>>(),
    )
    getOrPut(byReceiver, receiver, () => new Map<number, number>()).set(number, index)
  }

  find(sender: number, receiver: number, number: number): number | undefined {
    return this.#bySender.get(sender)?.get(receiver)?.get(number)
  }
}

export function getOrPut<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key)
  if (known !== undefined) return known
  const fresh = make()
  map.set(key, fresh)
  return fresh
}
