// The matchers of vitest, which are a package of their own; the bundler finds it beside vitest.

import { chai, JestAsymmetricMatchers, JestChaiExpect, JestExtend, setState } from '@vitest/expect'

chai.use(JestExtend)
chai.use(JestChaiExpect)
chai.use(JestAsymmetricMatchers)

/** `expect` of vitest, without what only its runner knows. */
export const expect = Object.assign(
  (value, message) => {
    setState({ assertionCalls: 0 }, expect)
    return chai.expect(value, message)
  },
  chai.expect,
  {
    // A test that asserts nothing is no matter of mutants.
    assertions: () => {},
    hasAssertions: () => {},
  },
)
