/** What can be in an ordered list: the links are part of the item. */
export interface Ordered {
  earlier: Ordered | undefined
  later: Ordered | undefined
}

/** Items in the order in which they came, removable anywhere in O(1). */
export class OrderedList<T extends Ordered> {
  first: T | undefined
  #last: T | undefined

  append(item: T): void {
    const last = this.#last
    item.earlier = last
    item.later = undefined
    if (last === undefined) this.first = item
    else last.later = item
    this.#last = item
  }

  remove(item: T): void {
    const { earlier, later } = item
    if (earlier === undefined) this.first = later as T | undefined
    else earlier.later = later
    if (later === undefined) this.#last = earlier as T | undefined
    else later.earlier = earlier
    item.earlier = undefined
    item.later = undefined
  }

  *[Symbol.iterator](): Iterator<T> {
    for (let item = this.first; item !== undefined; item = item.later as T | undefined) yield item
  }
}
