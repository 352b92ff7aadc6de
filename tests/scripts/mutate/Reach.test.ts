import { expect, it } from "vitest"
import { makeReach } from "../../../scripts/mutate/Reach.ts"

const source = "daemons/a/one/Store.ts"
const files = (tests: Readonly<Record<string, string>>) =>
  Object.entries({
    [source]: "",
    "daemons/a/one/Feature.ts": `import "./Store.ts"`,
    "daemons/main.ts": `const { a } = await import("./a/one/Feature.ts")`,
    "tests/support/Executable.ts": `import { spawn } from "node:child_process"; spawn("bin/signalbox")`,
    "tests/support/Child.ts": `import "#daemons/a/one/Feature.ts"`,
    ...tests
  }).map(([path, text]) => ({ path, text }))

it("orders tests from the mirrored one to those that start processes", () => {
  const reach = makeReach(
    files({
      "tests/core/Z.test.ts": `import "#daemons/a/one/Feature.ts"`,
      "tests/core/None.test.ts": `import "#core/None.ts"`,
      "tests/daemons/a/one/Process.test.ts": `import "node:child_process"; import "#daemons/a/one/Store.ts"`,
      "tests/daemons/a/one/Other.test.ts": `import "#daemons/a/one/Feature.ts"`,
      "tests/daemons/a/one/Near.test.ts": `import "#daemons/a/one/Store.ts"`,
      "tests/daemons/a/one/Store.test.ts": `import "../../../../daemons/a/one/Store.ts"`,
      "tests/daemons/a/two/Two.test.ts": `import "#daemons/a/one/Feature.ts"`,
      "tests/daemons/a/one/deep/Deep.test.ts": `import "#daemons/a/one/Feature.ts"`,
      "tests/daemons/b/Command.test.ts": `import "#support/Executable.ts"`
    })
  )
  expect(reach.testsOf(source)).toEqual([
    "tests/daemons/a/one/Store.test.ts",
    "tests/daemons/a/one/Near.test.ts",
    "tests/daemons/a/one/Other.test.ts",
    "tests/daemons/a/one/Process.test.ts",
    "tests/daemons/a/one/deep/Deep.test.ts",
    "tests/daemons/a/two/Two.test.ts",
    "tests/core/Z.test.ts",
    "tests/daemons/b/Command.test.ts"
  ])
})

it("follows a source file that a test starts by its name", () => {
  const started = `import { fork } from "node:child_process"; fork("Child.ts")`
  const named = `const list = ["../support/Child.ts"]`
  const reach = makeReach(files({ "tests/core/Fork.test.ts": started, "tests/core/Named.test.ts": named }))
  expect(reach.testsOf(source)).toEqual(["tests/core/Fork.test.ts"])
})
