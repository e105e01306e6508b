import { Datatype, IN_PLACE, MAX, MIN, PROD, SUM } from '@commworld/mpi'
import type { Memory, Mpi, Op } from '@commworld/mpi'
import { blocksOf, filled, hostileFilling } from '@commworld/testing'

export const floatOps: Readonly<Record<string, Op>> = { SUM, PROD, MAX, MIN }
export const floatWays = [
  'registered',
  'plain',
  'in place',
  'spread',
  'persistent',
  'values',
] as const
export type FloatWay = (typeof floatWays)[number]

/** A reduction of floats whose result depends on the order of operands. */
export interface FloatCase {
  readonly collective: 'reduce' | 'allreduce' | 'scan' | 'exscan'
  readonly algorithm: string
  readonly op: string
  readonly kind: 'float32' | 'float64'
  readonly elements: number
  readonly seed: number
}

type Floats = Float32Array | Float64Array

/** What a rank gives. */
function floatsOf({ kind, elements, seed }: FloatCase, rank: number): Floats {
  const filling = hostileFilling(seed)
  if (kind === 'float32') return filled(Float32Array, elements, filling, rank)
  return filled(Float64Array, elements, filling, rank)
}

function arrayOf(kind: FloatCase['kind'], elements: number): Floats {
  return kind === 'float32' ? new Float32Array(elements) : new Float64Array(elements)
}

/** The fold of a program with one rank. */
export function leftFold(one: FloatCase, rank: number, size: number): Floats | undefined {
  const combine = (lower: Floats, higher: Floats): Floats => {
    const result = arrayOf(one.kind, one.elements)
    for (let i = 0; i < result.length; i++) result[i] = scalar(one.op, lower[i], higher[i])
    return result
  }
  const question = { size, root: 0, given: (from: number) => floatsOf(one, from), fold: combine }
  return blocksOf<Floats>(one.collective, rank, question)?.[0]
}

function scalar(op: string, a: number, b: number): number {
  switch (op) {
    case 'SUM':
      return a + b
    case 'PROD':
      return a * b
    case 'MAX':
      return Math.max(a, b)
    default:
      return Math.min(a, b)
  }
}

/** What a rank gets in one of the ways there are to ask. */
export async function floatResult(
  mpi: Mpi,
  one: FloatCase,
  way: FloatWay,
): Promise<Floats | undefined> {
  const { world } = mpi
  const { collective, algorithm, elements, kind } = one
  const op = floatOps[one.op]
  const given = floatsOf(one, world.rank)
  const gets =
    (collective !== 'reduce' || world.rank === 0) && (collective !== 'exscan' || world.rank > 0)
  const methods = world as unknown as Record<string, (...rest: unknown[]) => unknown>
  if (way === 'values') {
    const value = await methods[`i${collective}`](given, op, { algorithm })
    return value as Floats | undefined
  }
  const room = (length: number): Floats =>
    way === 'plain'
      ? arrayOf(kind, length)
      : mpi.alloc<Floats>(arrayOf(kind, 0).constructor as never, length)
  const stride = way === 'spread' ? 3 : 1
  const [send, recv] = [room(stride * elements), room(stride * elements)]
  const seen = (data: Floats): Memory =>
    way === 'spread'
      ? { data, datatype: Datatype.contiguous(1).resized(0, stride), count: elements }
      : data
  const inPlace = way === 'in place' && (collective !== 'reduce' || world.rank === 0)
  given.forEach((element, i) => {
    if (inPlace) recv[i] = element
    else send[i * stride] = element
  })
  const parameters = [inPlace ? IN_PLACE : seen(send), seen(recv), op, { algorithm }]
  if (way === 'persistent') {
    const persistent = methods[`${collective}IntoInit`](...parameters) as {
      start(): PromiseLike<void>
    }
    for (let i = 0; i < 2; i++) await persistent.start()
  } else await methods[`i${collective}Into`](...parameters)
  const result = arrayOf(kind, elements)
  for (let i = 0; i < elements; i++) result[i] = recv[i * stride]
  if (way !== 'plain') for (const view of [send, recv]) mpi.free(view)
  return gets ? result : undefined
}

/** Collectives that fold, and whose results can be told apart by order. */
export const floatCollectives = ['reduce', 'allreduce', 'scan', 'exscan'] as const
