import { describe, expect, it } from 'vitest'
import {
  callSite,
  libraryIn,
  locateOperation,
  locateSnapshot,
  shortSite,
} from '../../src/diagnose/call-site.js'
import { operation } from './waits.js'

const stack = [
  'Error: where',
  '    at WaitLoop.run (file:///opt/world/dist/chunk-AB.js:10:5)',
  '    at Communicator.recv (/home/a/node_modules/@commworld/mpi/dist/index.js:3:4)',
  '    at node:internal/process/task_queues:95:5',
  '    at async exchange (file:///home/a/my%20course/swap.ts:18:9)',
  '    at main (/home/a/course/swap.ts:30:3)',
].join('\n')

const isLibrary = libraryIn(['/opt/world/dist'])

describe('callSite', () => {
  it('is the first frame outside of the library', () => {
    expect(callSite(stack, isLibrary)).toBe('/home/a/my course/swap.ts:18:9')
  })

  it('takes what is linked for library only when it is told where it lies', () => {
    expect(callSite(stack)).toBe('/opt/world/dist/chunk-AB.js:10:5')
  })

  it('reads frames without a function, and is undefined without any frame', () => {
    expect(callSite('Error\n    at /home/a/x.ts:1:2')).toBe('/home/a/x.ts:1:2')
    expect(callSite('Error\n    at new Promise (<anonymous>)\n    at native')).toBeUndefined()
  })
})

describe('shortSite', () => {
  it('drops the column, and the folder when the file lies below it', () => {
    expect(shortSite('/home/a/x.ts:3:7', '/home/a')).toBe('x.ts:3')
    expect(shortSite('file:///home/a/x.ts:3:7', '/home/a/')).toBe('x.ts:3')
    expect(shortSite('/home/ab/x.ts:3:7', '/home/a')).toBe('/home/ab/x.ts:3')
    expect(shortSite('x.ts:3')).toBe('x.ts:3')
  })
})

describe('locateSnapshot', () => {
  const locate = (text: string) => callSite(text, isLibrary)

  it('puts the site of the stack on the call the rank is blocked in', () => {
    const call = operation({ peer: 1 })
    const located = locateSnapshot(
      {
        rank: 0,
        state: 'blocked',
        operation: call,
        stack,
        waits: { mode: 'and', arcs: [{ peer: 1, operation: { ...call, site: stack } }] },
        posted: [call],
        unexpected: [],
        pendingSends: [],
        openRequests: [{ ...call, site: 'Error\n    at main (/home/a/b.ts:1:1)' }],
        recent: [],
      },
      locate,
    )
    expect(located.operation?.site).toBe('/home/a/my course/swap.ts:18:9')
    expect(located.waits.arcs[0]?.operation.site).toBe('/home/a/my course/swap.ts:18:9')
    expect(located.openRequests[0]?.site).toBe('/home/a/b.ts:1:1')
    expect(located.posted[0]).not.toHaveProperty('site')
  })

  it('leaves out what shows no frame of the user', () => {
    expect(locateOperation(operation({ site: 'Error' }), locate)).not.toHaveProperty('site')
  })
})
