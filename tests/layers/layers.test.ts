import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { judge } from '../../scripts/layers.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))

test('judge reports every kind of import in the wrong direction', async () => {
  const { violations } = await judge(`${root}/tests/fixtures/layers`)
  expect(violations.map((violation) => violation.replace(/.*: /, '')).sort()).toEqual([
    // up a folder of its own package, by type only
    'packages/mpi/src/comm/group.ts -> packages/mpi/src/api/send.ts',
    // into another package by a relative path
    'packages/mpi/src/errors/mpi-error.ts -> packages/transport/src/verbs/device.ts',
    // out of a folder that the list of layers does not know
    'packages/transport/src/extra/unlisted.ts -> packages/transport/src/wire/ping.ts',
    'packages/transport/src/memory/heap.ts -> packages/transport/src/verbs/device.ts',
    // to a package further right, by its name
    'packages/transport/src/verbs/mpi-user.ts -> @commworld/mpi',
    // in a cycle within one folder
    'packages/transport/src/wire/ping.ts -> packages/transport/src/wire/pong.ts -> packages/transport/src/wire/ping.ts',
  ])
})

test('judge finds nothing wrong in the workspace, and reads all of it', async () => {
  const { moduleCount, violations } = await judge(root)
  expect(violations).toEqual([])
  expect(moduleCount).toBeGreaterThan(100)
})
