import fc from 'fast-check'
import { elementKinds } from '../../src/datatype/index.js'

const key = fc.oneof(
  { weight: 4, arbitrary: fc.string({ maxLength: 4 }) },
  fc.constantFrom(
    '__proto__',
    '__keys__',
    'constructor',
    'toJSON',
    'hasOwnProperty',
    'length',
    '',
    '0',
    '\ufeff',
    '\ud800',
  ),
  fc.string({ unit: 'binary', minLength: 30, maxLength: 70 }),
)

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({ unit: 'binary', maxLength: 200 }).map((rest) => `\ufeff${rest}`),
  fc.uint16Array({ maxLength: 9 }).map((units) => String.fromCharCode(...units)),
)

const typedArray = fc
  .tuple(fc.constantFrom(...elementKinds), fc.uint8Array({ maxLength: 40 }), fc.nat(2))
  .map(([{ array }, bytes, skip]) => {
    const length = Math.floor(bytes.length / array.BYTES_PER_ELEMENT)
    const whole = new array(length)
    new Uint8Array(whole.buffer).set(bytes.subarray(0, whole.byteLength))
    return whole.slice(Math.min(skip, length))
  })

const leaf: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(
    -0,
    0,
    NaN,
    Infinity,
    -Infinity,
    null,
    undefined,
    true,
    false,
    '',
    0n,
    -1,
    63,
    64,
  ),
  fc.integer(),
  fc.double(),
  fc.maxSafeInteger(),
  fc.bigInt(),
  fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }),
  text,
  fc.date({ noInvalidDate: false }),
  typedArray,
  fc.uint8Array({ maxLength: 20 }).map((bytes) => bytes.slice().buffer),
  fc
    .uint8Array({ minLength: 2, maxLength: 20 })
    .map((bytes) => new DataView(bytes.slice().buffer, 1)),
  fc.constantFrom(/a+/g, /\u{1f600}/u, new Error('e'), new TypeError('t', { cause: { a: -0 } })),
  fc.constantFrom(new Number(-0), new String('abc'), new Boolean(false), Object(5n)),
)

const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.array(tie('tree'), { maxLength: 5 }),
    fc
      .array(fc.option(tie('tree'), { nil: Symbol.for('hole') as never }), { maxLength: 5 })
      .map(withHoles),
    fc.array(fc.tuple(key, tie('tree')), { maxLength: 5 }).map(recordOf),
    fc.array(tie('tree'), { maxLength: 12 }).map((entries) => entries.map((x, i) => ({ x, i }))),
    fc
      .array(fc.tuple(tie('tree'), tie('tree')), { maxLength: 4 })
      .map((entries) => new Map(entries)),
    fc.array(tie('tree'), { maxLength: 4 }).map((entries) => new Set(entries)),
    fc.array(tie('tree'), { maxLength: 3 }).map((entries) => Object.assign(entries, { named: 1 })),
  ),
}))

function withHoles(entries: unknown[]): unknown[] {
  entries.forEach((entry, i) => {
    if (entry === Symbol.for('hole')) delete entries[i]
  })
  return entries
}

function recordOf(entries: [string, unknown][]): object {
  const record = {}
  for (const [name, value] of entries) {
    Object.defineProperty(record, name, {
      value,
      enumerable: true,
      writable: true,
      configurable: true,
    })
  }
  return record
}

/** Objects of a value that others can be hung into. */
function containers(value: unknown, found = new Set<object>()): object[] {
  if (typeof value !== 'object' || value === null || found.has(value)) return [...found]
  if (Array.isArray(value)) {
    found.add(value)
    value.forEach((entry) => containers(entry, found))
  } else if (value instanceof Map) {
    found.add(value)
    value.forEach((entry, name) => [name, entry].forEach((part) => containers(part, found)))
  } else if (value instanceof Set) {
    found.add(value)
    value.forEach((entry) => containers(entry, found))
  } else if (Object.getPrototypeOf(value) === Object.prototype) {
    found.add(value)
    Object.values(value).forEach((entry) => containers(entry, found))
  }
  return [...found]
}

function hang(holder: object, part: unknown): void {
  if (Array.isArray(holder)) holder.push(part)
  else if (holder instanceof Map) holder.set(part, part)
  else if (holder instanceof Set) holder.add(part)
  else (holder as Record<string, unknown>)['link'] = part
}

/** Anything that structuredClone can copy, with parts that occur twice and parts that contain themselves. */
export const values: fc.Arbitrary<unknown> = fc
  .tuple(tree, fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 3 }))
  .map(([value, links]) => {
    const all = containers(value)
    if (all.length === 0) return value
    for (const [holder, part] of links) hang(all[holder % all.length]!, all[part % all.length])
    return value
  })
