const LONGEST_TEXT = 40

/** One short phrase that says what a value is, for a message: `'abc'`, `1.5`, `a Float64Array of 3`. */
export function describe(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value.length > LONGEST_TEXT ? `'${value.slice(0, LONGEST_TEXT)}…'` : `'${value}'`
    case 'bigint':
      return `${value}n`
    case 'number':
      return Object.is(value, -0) ? '-0' : String(value)
    case 'symbol':
      return value.description?.replace(/^commworld\./, '') ?? 'a symbol'
    case 'function':
      return value.name === '' ? 'a function' : `the function ${value.name}`
    case 'object':
      return value === null ? 'null' : describeObject(value)
    default:
      return String(value)
  }
}

function describeObject(value: object): string {
  if (Array.isArray(value)) return `an array of ${value.length}`
  const name = className(value)
  if (ArrayBuffer.isView(value) && 'length' in value) return `${article(name)} of ${value.length}`
  return name === 'Object' ? 'an object' : article(name)
}

/** Name of a value's class as far as it can be told without running code of the user. */
export function className(value: object): string {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === null) return 'Object'
  const constructor = Object.getOwnPropertyDescriptor(prototype, 'constructor')?.value as unknown
  const name = typeof constructor === 'function' ? constructor.name : ''
  return name === '' ? 'Object' : name
}

/** `a Map`, `an Array`, `a Uint8Array`. */
export function article(noun: string): string {
  return /^[AEIOaeio]/.test(noun) ? `an ${noun}` : `a ${noun}`
}

/** `1 element`, `3 elements`. */
export function quantity(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
