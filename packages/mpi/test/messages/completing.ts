import {
  testAll,
  testAny,
  testSome,
  waitAll,
  waitAny,
  waitSome,
  type Completion,
  type Request,
} from '@commworld/mpi'
import { until, type Style } from './actor.js'
import type { Completing } from './script.js'

/** Completes requests in one of the ways there are. @returns what they gave, in their order */
export async function complete(
  requests: readonly Request<unknown>[],
  way: Completing,
  style: Style,
): Promise<unknown[]> {
  if (requests.length === 0) return []
  switch (way) {
    case 'each':
    case 'reverse':
      return await oneByOne(requests, way, style)
    case 'all':
      return style === 'await' ? await Promise.all(requests) : [...waitAll(requests)]
    case 'any':
      if (style === 'await') return await delivered(requests, () => one(testAny(requests)), style)
      return await delivered(requests, () => one(waitAny(requests)), style)
    case 'some':
      if (style === 'await') return await delivered(requests, () => testSome(requests), style)
      return await delivered(requests, () => waitSome(requests), style)
    case 'testAny':
      return await delivered(requests, () => one(testAny(requests)), style)
    case 'testSome':
      return await delivered(requests, () => testSome(requests), style)
    case 'testAll':
      await until(() => testAll(requests) || undefined, style)
      return requests.map((request) => request.wait())
    case 'test':
      for (const request of requests) await until(() => request.test() || undefined, style)
      return requests.map((request) => request.wait())
  }
}

async function oneByOne(
  requests: readonly Request<unknown>[],
  way: 'each' | 'reverse',
  style: Style,
): Promise<unknown[]> {
  const order = [...requests.keys()]
  if (way === 'reverse') order.reverse()
  const results: unknown[] = []
  for (const index of order) {
    const request = requests[index]!
    results[index] = style === 'await' ? await request : request.wait()
  }
  return results
}

/** Takes completions until each request has been delivered, once. */
async function delivered(
  requests: readonly Request<unknown>[],
  next: () => Completion[],
  style: Style,
): Promise<unknown[]> {
  const results = new Map<number, unknown>()
  while (results.size < requests.length) {
    const completions = await until(() => {
      const found = next()
      return found.length > 0 ? found : undefined
    }, style)
    for (const { index, value } of completions) {
      if (results.has(index)) throw new Error(`request ${index} was delivered twice`)
      results.set(index, value)
    }
  }
  if (testAny(requests) !== undefined) throw new Error('more was delivered than there is')
  return requests.map((_, index) => results.get(index))
}

function one(completion: Completion | undefined): Completion[] {
  return completion === undefined ? [] : [completion]
}
