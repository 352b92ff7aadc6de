/** Setup of every test file: daemons in this process must not do network or file I/O inside a transaction. */
import { afterEach } from "vitest"
import * as IoGuard from "#core/sql/IoGuard.ts"

IoGuard.install()

afterEach(() => {
  const [first, ...more] = IoGuard.takeViolations()
  if (first === undefined) return
  throw new Error(`${first.message}${more.length > 0 ? ` (and ${more.length} more)` : ""}`, { cause: first })
})
